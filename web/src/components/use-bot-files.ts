import { useState } from 'react';
import {
  BOT_FILES,
  type BotFileName,
  checkBotFile,
  decodeUtf8,
  type Finding,
  isBotFileName,
} from '../lib/bot-check.ts';

export type PickedFile = { file: File; text: string; findings: Finding[] };
export type PickedFiles = Partial<Record<BotFileName, PickedFile>>;

async function read(file: File, name: BotFileName): Promise<PickedFile> {
  // A far too large file is not read whole, only refused.
  const bytes = await file.slice(0, 1024 * 1024 + 1).arrayBuffer();
  return { file, text: decodeUtf8(bytes) ?? '', findings: checkBotFile(name, bytes) };
}

/** The two files of an upload: taken up by their exact names, checked at once; other files are named and ignored. */
export function useBotFiles() {
  const [picked, setPicked] = useState<PickedFiles>({});
  const [ignored, setIgnored] = useState<string[]>([]);

  const take = async (files: File[]) => {
    const found: PickedFiles = {};
    for (const file of files) {
      if (isBotFileName(file.name)) found[file.name] = await read(file, file.name);
    }
    setIgnored(files.filter((file) => !isBotFileName(file.name)).map((file) => file.name));
    setPicked((before) => ({ ...before, ...found }));
  };
  const remove = (name: BotFileName) => setPicked(({ [name]: _gone, ...kept }) => kept);
  const clear = () => {
    setPicked({});
    setIgnored([]);
  };
  const findings = BOT_FILES.flatMap((name) => picked[name]?.findings ?? []);
  return { picked, ignored, findings, take, remove, clear };
}
