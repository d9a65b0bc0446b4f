import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { LeadStatus } from '@/lib/contract/lead'
import { type Fleet, startFleet } from './fleet'
import { missingPrograms } from './servers'
import { LIMITS } from './service'
import { createReport, describeLook, lostDecisions, type Outcome, violationsOf } from './verdicts'
import { knownRequestsAt, statusesAt } from './viewers'

/**
 * Three instances behind the shipped `deploy/nginx.conf`, with people at work all the time: the leader is killed, the database goes
 * away, and each instance in turn is restarted. Whatever happens, the limits hold, nothing is lost, and nobody is signed out.
 */

/** The lease of a dead holder ends after 10 s (`server/feed/services.ts`). */
const SETTLED_MS = 15_000
const AWAY_MS = 5_000
const SLOW_MS = 3_000

type Part = { name: string; tolerates: readonly Outcome[]; run: (fleet: Fleet) => Promise<void> }

const PARTS: Part[] = [
  { name: 'three instances work', tolerates: [], run: () => wait(AWAY_MS) },
  {
    name: 'kill -9 of the instance that is asking the service',
    tolerates: ['busy', 'gateway', 'cut'],
    run: killLeader,
  },
  { name: 'PostgreSQL is stopped at once and started', tolerates: ['busy'], run: stopDatabase },
  { name: 'each instance in turn is ended and started again', tolerates: [], run: rollingRestart },
]

const { values } = parseArgs({ options: { report: { type: 'string' } } })
const report = createReport()
const missing = missingPrograms()
if (missing.length > 0) report.skip('three instances', `${missing.join(', ')} missing`)
else await runStory().catch((error: unknown) => report.verdict('the run itself', [String(error)]))
const { passed, failed, skipped } = report.counts
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
if (values.report) writeFileSync(values.report, JSON.stringify(report.counts))
process.exit(failed === 0 ? 0 : 1)

async function runStory(): Promise<void> {
  report.say('PostgreSQL, the service, nginx and the instances start; people come to work')
  const fleet = await startFleet()
  try {
    for (const part of PARTS) await runPart(part, fleet)
    await judgeWhatIsLeft(fleet)
  } finally {
    await fleet.stop()
  }
}

async function runPart({ name, tolerates, run }: Part, fleet: Fleet): Promise<void> {
  report.say(name)
  const { viewers, service } = fleet
  const from = viewers.looks.length
  await run(fleet)
  const sent = service.sent().length
  await wait(SETTLED_MS)
  const looks = viewers.looks.slice(from)
  const refused = looks.filter(({ outcome }) => outcome !== 'ok')
  const failedOnes = refused.filter(({ outcome }) => !tolerates.includes(outcome)).map(describeLook)
  const blank = looks.filter(({ isBlank }) => isBlank).map((look) => `blank: ${describeLook(look)}`)
  const count = `${looks.length} requests, ${refused.length - failedOnes.length} refused with reason`
  report.verdict('  nobody lost sight, or was signed out', [...failedOnes, ...blank], count)
  report.verdict('  and the lists are fetched', service.sent().length > sent ? [] : ['no request was sent'])
}

async function killLeader({ service, instances }: Fleet): Promise<void> {
  service.setFaults([{ name: 'delay', ms: SLOW_MS }])
  let leader = instances[service.asking()]
  for (; leader === undefined; leader = instances[service.asking()]) await wait(20)
  await leader.end('SIGKILL')
  service.setFaults([])
  await wait(1_000)
  await leader.start()
}

async function stopDatabase({ postgres }: Fleet): Promise<void> {
  await postgres.end('SIGQUIT')
  await wait(AWAY_MS)
  await postgres.start()
}

/** As an operator does it at noon: each only when the one before takes requests again. */
async function rollingRestart({ instances }: Fleet): Promise<void> {
  for (const instance of instances) {
    await instance.end('SIGTERM')
    await instance.start()
    // The proxy tries an instance again two seconds after it could not reach it.
    await wait(2_500)
  }
}

async function judgeWhatIsLeft({ service, viewers, instances, admin }: Fleet): Promise<void> {
  await viewers.stop()
  const { decisions } = viewers
  const answered = `${decisions.filter(({ isAnswered }) => isAnswered).length}`
  for (const { name, origin } of instances) {
    const now = (await statusesAt(origin, admin)) as Map<string, LeadStatus>
    report.verdict(`${name} shows every decision that was answered`, lostDecisions(decisions, now), answered)
  }
  const sent = service.sent()
  const violations = violationsOf(sent, LIMITS)
  report.verdict('no request over the limits', violations === 0 ? [] : [`${violations} were`], `${sent.length} in all`)
  // An idle instance learns of the others' requests at its next one.
  const known = await Promise.all(instances.map((instance) => knownRequestsAt(instance.origin, admin)))
  const counts = `the service counted ${sent.length}, instances know of ${known.join(', ')}`
  report.verdict('no request was forgotten', Math.max(...known) >= sent.length ? [] : [counts], counts)
}
