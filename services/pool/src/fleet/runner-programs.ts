import { nodeArguments } from '@husky/runtime/process/node-arguments';
import type { RunnerParameters, RunnerPrograms } from './local-runner.ts';

export interface ProgramSettings {
  /** The program of a dealer: `services/runner/src/main.ts`, or its bundle. */
  readonly dealer: string;
  /** `services/runner/seat`. */
  readonly seatFolder: string;
  readonly node: string;
  readonly python: string;
  /** Path of taskset; undefined: dealers are not pinned. */
  readonly taskset: string | undefined;
  readonly path: string;
  readonly addresses: { readonly simulation: string; readonly submission: string; readonly liveData: string };
  readonly runnerKeyFile: string;
  /** Dealers of this machine use the pool's certificate. */
  readonly tlsFolder?: string | undefined;
  readonly logLevel: string;
  readonly passedOn: Readonly<Record<string, string>>;
  /** Further variables of dealers; `{number}` in a value stands for the number of the runner. */
  readonly dealerVariables: Readonly<Record<string, string>>;
  readonly allowStrangers: boolean;
}

/**
 * A third of a service's share of a busy processor (sched(7)), so that visitors come before bots that compute for hours. Bots lose no
 * time by it: they are not charged for waiting.
 */
const niceness = 5;

/** Returns the command lines of dealer and seat host. They get only the variables named here: the pool's own contain secrets. */
export function runnerPrograms(settings: ProgramSettings): RunnerPrograms {
  return {
    dealer(parameters: RunnerParameters) {
      const run = [settings.node, ...nodeArguments, settings.dealer];
      const { taskset } = settings;
      const pin = taskset === undefined || parameters.cpu === undefined ? [] : [taskset, '-c', String(parameters.cpu)];
      const [command = '', ...args] = [...pin, ...run];
      return {
        command,
        args,
        niceness,
        cwd: parameters.folder,
        env: {
          PATH: settings.path,
          RUNNER_NAME: parameters.name,
          RUN_DIR: parameters.runDir,
          SIMULATION_ADDRESS: settings.addresses.simulation,
          SUBMISSION_ADDRESS: settings.addresses.submission,
          LIVE_DATA_ADDRESS: settings.addresses.liveData,
          IDENTITY_KEY_FILE: settings.runnerKeyFile,
          OPS_ADDRESS: '127.0.0.1:0',
          LOG_LEVEL: settings.logLevel,
          ALLOW_STRANGERS_WITHOUT_SANDBOX: String(settings.allowStrangers),
          ...(settings.tlsFolder && { TLS_FOLDER: settings.tlsFolder }),
          ...settings.passedOn,
          ...withNumber(settings.dealerVariables, parameters.number),
        },
      };
    },
    seats(parameters: RunnerParameters) {
      const { seatFolder } = settings;
      return {
        command: settings.python,
        args: [
          '-m',
          'husky_seat',
          '--run-dir',
          parameters.runDir,
          ...(parameters.cpu === undefined ? [] : ['--cpu', String(parameters.cpu)]),
          ...(settings.allowStrangers ? ['--allow-strangers-without-sandbox'] : []),
        ],
        niceness,
        cwd: seatFolder,
        env: { PATH: settings.path, PYTHONPATH: seatFolder, PYTHONUNBUFFERED: '1', LANG: 'C.UTF-8' },
      };
    },
  };
}

function withNumber(variables: Readonly<Record<string, string>>, number: number): Record<string, string> {
  const named = Object.entries(variables).map(([name, value]) => [name, value.replaceAll('{number}', String(number))]);
  return Object.fromEntries(named);
}
