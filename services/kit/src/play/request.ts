import type { StacksMode } from '@husky/match/stacks';
import type { Limits, Profile } from '@husky/runner/play/setup';

/** A bot of a request. Paths are absolute. */
export interface BotFiles {
  readonly name: string;
  readonly player_file: string;
  /** Null: the bot has none, which counts as an empty one. */
  readonly requirements_file: string | null;
  /** Folder of its installed packages; null: standard library only. */
  readonly packages_dir: string | null;
}

/** The request of the command `play`, as husky_holdem/commands/play.py writes it after checking the arguments. */
export interface PlayRequest {
  readonly python: string;
  /** Folder that contains the seat host's package. */
  readonly seat_folder: string;
  /** The seat host's Python module. */
  readonly seat_module: string;
  readonly temporary_folder: string;
  readonly bots: readonly BotFiles[];
  /** Match file whose match is played again instead of a match with `settings`; null without one. */
  readonly like: string | null;
  readonly settings: PlaySettings;
  readonly limits: Limits;
  readonly repeat: number;
  readonly jobs: number;
  readonly duplicate: boolean;
  /** Folder for the files of the matches; null: nothing is written. */
  readonly out: string | null;
  /** False: all times in the files are 0, so that two plays have equal bytes. */
  readonly times: boolean;
  readonly all_replays: boolean;
  readonly require_sandbox: boolean;
  /** Whether nets without luck are computed; stacks are reset, and blinds do not rise. */
  readonly luck?: boolean;
}

/** The settings of a match. */
export interface PlaySettings {
  readonly hands: number;
  /** 64 hex digits. */
  readonly seed: string;
  readonly starting_stack: number;
  readonly stacks: StacksMode;
  readonly blinds: { readonly big_blind: number; readonly multiplier: string; readonly interval: number };
  readonly profile: Profile;
  /** The rules of a match that is played again; absent: the newest. */
  readonly rules_version?: number;
}
