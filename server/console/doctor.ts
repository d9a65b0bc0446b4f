import 'server-only'
import { type Env, env, SettingsError } from '@/server/env'
import { type AdminCommand, argumentsOf, FoundWrong } from './command'
import { type Check, look, lookAtAddress, lookAtFolder, lookAtMemory, ok, wrong } from './checks'
import { lookAtDatabase } from './doctor-database'
import { lookAtMail, lookAtProvider, lookAtRedis, lookAtService } from './doctor-service'

export const doctor: AdminCommand = {
  usage: 'doctor [--json] [--no-service]',
  says: 'checks settings, database, Redis, single sign-on, mail, clocks, service, folder, address and memory; Intag may run',
  more: 'It sends at most one request to the service, counted like all others once there is a database; --no-service: none.',
  run: async (args) => {
    const { values } = argumentsOf(args, 0, { json: { type: 'boolean' }, 'no-service': { type: 'boolean' } })
    const checks = await lookAtAll(env, values['no-service'] !== true)
    const text = values.json === true ? JSON.stringify(checks, null, 2) : report(checks)
    if (checks.some(({ state }) => state === 'wrong')) throw new FoundWrong(text)
    return text
  },
}

/** With settings that are not a process's yet, too. Wrong ones are all that it says then. */
export async function lookAtAll(load: () => Env, isServiceAsked: boolean): Promise<Check[]> {
  let settings: Env
  try {
    settings = load()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.problems.map((problem) =>
      wrong('settings', problem, 'Intag does not start: docs/settings.md says what each means.'),
    )
  }
  const [database, redis, provider, mail, address] = await Promise.all([
    lookAtDatabase(settings),
    lookAtRedis(settings),
    lookAtProvider(settings),
    lookAtMail(settings),
    lookAtAddress(settings),
  ])
  try {
    const service = await lookAtService(settings, { database, redis: redis.redis, isAsked: isServiceAsked })
    const machine = [...lookAtFolder(settings), ...address, ...lookAtMemory()]
    const outside = [...database.checks, ...redis.checks, ...provider, ...mail, ...service]
    return [...settingChecks(settings), ...outside, ...machine]
  } finally {
    redis.redis?.disconnect()
    await database.close()
  }
}

function settingChecks({ doubts, mode }: Env): Check[] {
  return [
    ok('settings', mode === 'demo' ? 'of the demo' : 'can be started with'),
    ...doubts.map((doubt) => look('settings', doubt, 'Let pass on this machine alone.')),
  ]
}

export function report(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ what }) => what.length))
  const lines = checks.flatMap(({ what, state, says, todo }) => [
    `${state.padEnd(5)}  ${what.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 9)}${todo}`]),
  ])
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  return [...lines, '', `${count('ok')} in order, ${count('look')} to look at, ${count('wrong')} wrong.`].join('\n')
}
