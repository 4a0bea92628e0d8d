import type { RunSettings } from '../run/deciding-settings.ts';

/** Nothing is run, so nothing is recorded, limited in its costs or prepared. */
export function withoutAgent(settings: RunSettings): RunSettings {
  const {
    record: _record,
    replay: _replay,
    record_missing: _missing,
    replay_speed: _speed,
    ...rest
  } = settings;
  const { before_all: _before, after_all: _after, budget: _budget, budget_time_ms: _time, ...more } = rest;
  const { connector: _connector, name: _name, confirm: _confirm, order: _order, ...judging } = more;
  return judging;
}
