// Decides between `--record`, `--replay` and `--cache` if several places set them.

import path from 'node:path';
import { ConfigError } from '../errors.ts';
import type { SettingFlags, Settings } from './options/options.ts';

/** Where a setting comes from; the later one in this list wins. */
const LEVELS = ['config', 'env', 'flag'] as const;
export type SettingLevel = (typeof LEVELS)[number];

/** The folder that `--cache` replays from and records to. */
const CACHE = path.join('.assay', 'tapes');

type TapeSources = {
  flags: SettingFlags;
  /** Where the setting was found, and how a message names that place. */
  find(
    name: 'cache' | 'record' | 'record_missing' | 'replay',
  ): { from: SettingLevel; at: string } | undefined;
  root: string | undefined;
};

/** Gives settings with one folder of recordings; throws ConfigError if the user asks for two things at once. */
export function withOneTapeFolder(settings: Settings, { flags, find, root }: TapeSources): Settings {
  const { cache, ...others } = settings;
  if (cache !== true) return chosenFolder(settings, flags);
  const own = find('cache');
  for (const name of ['record', 'replay', 'record_missing'] as const) {
    const other = find(name);
    if (own === undefined || other === undefined || settings[name] === undefined || settings[name] === false)
      continue;
    const rank = LEVELS.indexOf(other.from) - LEVELS.indexOf(own.from);
    if (rank > 0) return chosenFolder(others, flags);
    if (rank === 0)
      throw new ConfigError(`${own.at} and ${other.at} cannot be combined`, {
        hint:
          name === 'record'
            ? `--cache records what is missing; to record everything again, use --record ${CACHE}`
            : `--cache is the same as --replay ${CACHE} --record-missing`,
      });
  }
  const { record: _record, ...rest } = others;
  return { ...rest, cache, replay: path.resolve(root ?? '', CACHE), record_missing: true };
}

/** Typing `--record` drops a `replay` that is set elsewhere, and the other way round. */
function chosenFolder(settings: Settings, flags: SettingFlags): Settings {
  const isRecording = flags.record !== undefined && flags.replay === undefined;
  const isReplaying = flags.replay !== undefined && flags.record === undefined;
  if (isReplaying) {
    const { record: _record, ...replaying } = settings;
    return replaying;
  }
  if (!isRecording) return settings;
  const { record, replay: _replay, record_missing: _missing, replay_speed: _speed, ...rest } = settings;
  return { ...rest, record };
}
