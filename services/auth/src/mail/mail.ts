/** A paragraph, a list, a link shown as a button, or small print with links. Parts without content are left out. */
export type LetterPart =
  | { readonly paragraph: string }
  | { readonly list: readonly { readonly text: string; readonly url?: string }[] }
  /** `showUrl` repeats the address as text below the button of the HTML part. */
  | { readonly button: string; readonly url: string; readonly showUrl?: boolean }
  | { readonly footer: string; readonly links: readonly { readonly label: string; readonly url: string }[] };

/** The content of a mail, from which its text and its HTML part are rendered. */
export interface Letter {
  readonly subject: string;
  readonly parts: readonly LetterPart[];
}

export interface Mail extends Letter {
  readonly to: string;
  readonly username: string;
  /** What the link does, for the log of the mail folder, e.g. `verification`. */
  readonly kind: string;
  /** The main link. */
  readonly url: string;
  /** Retries of the same mail use the same id; generated when absent. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Sends one mail; throws when the server does not accept it. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The name of the site, as mails use it. */
export const site = "Husky Hold'em";
