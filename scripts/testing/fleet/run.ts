import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { LeadStatus } from '@/lib/contract/lead'
import { type Fleet, startFleet } from './fleet'
import { type Scenario, scenarios } from './scenarios'
import { missingPrograms } from './servers'
import { LIMITS } from './service'
import {
  createReport,
  describeFreshness,
  describeLook,
  failedLooks,
  type Freshness,
  freshnessOf,
  isAsFresh,
  lostDecisions,
  lostNotes,
  overPace,
  type Report,
  violationsOf,
} from './verdicts'
import { knownRequestsAt, notesAt, statusesAt } from './viewers'

const MEASURED_MS = 15_000
/** Looks that began so long before a part of the run belong to it as well. */
const SETTLED_MS = 4_000

const { values, positionals: words } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } })
const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))

const report = createReport()
const missing = missingPrograms()
if (missing.length > 0) report.skip('three instances', `${missing.join(', ')} missing`)
else await runAll()
const { passed, failed, skipped } = report.counts
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
if (values.report) writeFileSync(values.report, JSON.stringify(report.counts))
process.exit(failed === 0 ? 0 : 1)

async function runAll(): Promise<void> {
  const wanted = scenarios.filter(({ name }) => isWanted(name))
  try {
    if (wanted.length > 0) await chaos(wanted)
  } catch (error) {
    report.verdict('the run itself', [error instanceof Error ? (error.stack ?? error.message) : String(error)])
  }
}

async function chaos(wanted: readonly Scenario[]): Promise<void> {
  report.say('PostgreSQL, Redis, the service, nginx and the first instance start; people come to work')
  const fleet = await startFleet()
  try {
    const alone = await measureFreshness('one instance', fleet)
    report.verdict('one instance is fresh', alone.looks > 0 ? [] : ['nobody saw a list'], describeFreshness(alone))
    for (const [name, instance] of [['two', fleet.second] as const, ['three', fleet.third] as const]) {
      await instance.start()
      await wait(SETTLED_MS)
      judgeFreshness(`${name} instances are as fresh as one`, await measureFreshness(`${name} instances`, fleet), alone)
    }
    judgeLooks('nobody noticed that instances came', fleet, [], 0)
    for (const scenario of wanted) await runScenario(scenario, fleet, alone)
    judgeFreshness(
      'at the end lists are as fresh as one instance keeps them',
      await measureFreshness('the end', fleet),
      alone,
    )
    await judgeWhatIsLeft(fleet)
  } finally {
    await fleet.stop()
  }
  await fleet.remove()
}

async function measureFreshness(what: string, { viewers, service }: Fleet): Promise<Freshness> {
  report.say(`how fresh lists are: ${what}`)
  const from = Date.now()
  await wait(MEASURED_MS)
  return freshnessOf(viewers.looks, service.arrivals, from, Date.now())
}

function judgeFreshness(name: string, now: Freshness, alone: Freshness): void {
  const measured = describeFreshness(now)
  report.verdict(name, isAsFresh(now, alone) ? [] : [`one alone: ${describeFreshness(alone)}`], measured)
}

async function runScenario(scenario: Scenario, fleet: Fleet, alone: Freshness): Promise<void> {
  const lack = scenario.lacks?.(fleet) ?? null
  if (lack !== null) return report.skip(scenario.name, lack)
  report.say(scenario.name)
  const from = fleet.viewers.looks.length
  await scenario.run(fleet).catch((error: unknown) => report.verdict(`${scenario.name}: can be tried`, [String(error)]))
  const took = await untilFresh(scenario.freshAgainMs, fleet, alone)
  judgeLooks(`${scenario.name}: nobody lost sight`, fleet, scenario.tolerates, from)
  const slow = `not within ${scenario.freshAgainMs / 1000} s`
  const after = took === null ? '' : `after ${took / 1000} s`
  report.verdict('  and lists are fresh again', took === null ? [slow] : [], after)
  const violations = violationsOf(fleet.service.sent(), LIMITS)
  if (violations > 0) report.verdict('  and the limits hold', [`${violations} requests over the limits so far`])
}

async function untilFresh(withinMs: number, { viewers, service }: Fleet, alone: Freshness): Promise<number | null> {
  const from = Date.now()
  while (Date.now() - from < withinMs + SETTLED_MS) {
    await wait(500)
    const now = Date.now()
    if (now - from < SETTLED_MS) continue
    const lately = freshnessOf(viewers.looks, service.arrivals, now - SETTLED_MS, now)
    if (lately.worstMs <= Math.max(alone.worstMs, alone.p95Ms * 1.5) + 1_000) return now - from - SETTLED_MS
  }
  return null
}

function judgeLooks(name: string, { viewers }: Fleet, tolerated: Scenario['tolerates'], from: number): void {
  const looks = viewers.looks.slice(from)
  const failedOnes = failedLooks(looks, tolerated).map(describeLook)
  const blank = looks.filter(({ isBlank }) => isBlank).map((look) => `blank: ${describeLook(look)}`)
  const refused = looks.filter(({ outcome }) => outcome !== 'ok').length - failedOnes.length
  report.verdict(name, [...failedOnes, ...blank], `${looks.length} requests, ${refused} refused with reason`)
}

async function judgeWhatIsLeft(fleet: Fleet): Promise<void> {
  const { service, viewers, instances, admin } = fleet
  await viewers.stop()
  const { decisions, notes } = viewers.written
  const answered = (all: readonly { isAnswered: boolean }[]) => all.filter(({ isAnswered }) => isAnswered).length
  for (const { name, origin } of instances) {
    const now = (await statusesAt(origin, admin, 'declarations-of-interest')) as Map<string, LeadStatus>
    const lost = lostDecisions(decisions, now)
    report.verdict(`${name} shows every decision that was answered`, lost, `${answered(decisions)}`)
  }
  const there = await notesAt(fleet.first.origin, admin, [...new Set(notes.map(({ lead }) => lead))])
  report.verdict('every note that was answered is there, and none twice', lostNotes(notes, there), `${answered(notes)}`)
  judgeRequests(report, fleet, await Promise.all(instances.map(({ origin }) => knownRequestsAt(origin, admin))))
  service.setFaults([])
}

function judgeRequests(to: Report, { service }: Fleet, known: readonly number[]): void {
  const sent = service.sent()
  const violations = violationsOf(sent, LIMITS)
  to.verdict('no request over the limits', violations === 0 ? [] : [`${violations} were`], `${sent.length} in all`)
  const over = overPace(sent, LIMITS.perHour)
  to.verdict('no pace that the hour could not bear', over === 0 ? [] : [`${over} too many in the worst minute`])
  // An idle instance learns of the others' requests at its next one.
  const counts = `the service counted ${sent.length}, instances know of ${known.join(', ')}`
  to.verdict('no request was forgotten', Math.max(...known) >= sent.length ? [] : [counts], counts)
}
