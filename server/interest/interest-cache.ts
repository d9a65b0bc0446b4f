import 'server-only'
import { type CountedLeads, countedLeads } from '@/lib/interest/counted-leads'
import { type InterestCounts, interestCounts, type InterestSelection } from '@/lib/interest/interest-counts'
import { type TimeToHandled, timeToHandled, toldTimeToHandled, type TriageOfBoth } from '@/lib/interest/time-to-handled'
import { type ToldLeads, toldLeads } from '@/lib/interest/told-leads'
import { withheldCounts } from '@/lib/interest/withheld'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageOf } from '@/lib/leads/triage-columns'

export type InterestQuestion = {
  declarations: LeadTable
  questions: LeadTable
  /** The schools within somebody's reach. */
  reach: 'all' | ReadonlySet<string>
  selection: InterestSelection
  triage: TriageOfBoth
  /** For somebody who may only count: small groups are not told. */
  isWithheld: boolean
}

export type InterestCache = (question: InterestQuestion) => InterestAnswer
/** `few`: the schools and years of which only that is told; none for who may read the leads. */
type InterestAnswer = { counts: InterestCounts; handled: TimeToHandled; few: ToldLeads['few'] }

const MOST_REACHES = 16
const MOST_SELECTIONS = 64

/**
 * Counts, each once: per snapshot, reach, schools and period, and times to handled also per state of the triage. With the
 * first count of a new snapshot everything of the last one goes. Nothing in here is by person but their reach.
 */
export function createInterestCache(): InterestCache {
  let tables: LeadTable[] = []
  const leads = new Map<string, CountedLeads>()
  const told = new Map<string, ToldLeads>()
  const counts = new Map<string, InterestCounts>()
  const handled = new Map<string, { triage: string; times: TimeToHandled }>()

  return (question) => {
    const { declarations, questions, reach, selection, triage, isWithheld } = question
    if (tables[0] !== declarations || tables[1] !== questions) {
      tables = [declarations, questions]
      for (const cache of [leads, told, counts, handled]) cache.clear()
    }
    const reachKey = reach === 'all' ? 'all' : JSON.stringify([...reach].toSorted())
    const key = `${isWithheld} ${reachKey} ${selectionKey(selection)}`
    const ofReach = cached(leads, reachKey, MOST_REACHES, () => countedLeads({ declarations, questions }, reach))
    const toldOf = () => cached(told, reachKey, MOST_REACHES, () => toldLeads(ofReach))
    const stateOfTriage = `${fingerprint(triage.declarations)} ${fingerprint(triage.questions)}`
    if (handled.get(key)?.triage !== stateOfTriage) handled.delete(key)
    return {
      counts: cached(counts, key, MOST_SELECTIONS, () =>
        isWithheld ? withheldCounts(toldOf(), selection) : interestCounts(ofReach, selection),
      ),
      handled: cached(handled, key, MOST_SELECTIONS, () => ({
        triage: stateOfTriage,
        times: isWithheld
          ? toldTimeToHandled(ofReach, selection, triage, toldOf())
          : timeToHandled(ofReach, selection, triage),
      })).times,
      few: isWithheld ? toldOf().few : [],
    }
  }
}

function selectionKey({ schools, from, to }: InterestSelection): string {
  return JSON.stringify([schools && [...schools].toSorted(), String(from), String(to)])
}

/** The oldest entry makes room for a new one. */
function cached<T>(cache: Map<string, T>, key: string, most: number, make: () => T): T {
  const found = cache.get(key)
  if (found !== undefined) return found
  const oldest = cache.size >= most ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
  const made = make()
  cache.set(key, made)
  return made
}

/** Every change of a lead's triage gives it a new time, so the sum of the times tells states apart. */
function fingerprint(triage: TriageOf): string {
  let [sum, handled] = [0, 0]
  for (const { status, updatedAt, answeredAt } of triage.values()) {
    sum = (sum + (updatedAt ?? 0) + (answeredAt ?? 0)) % Number.MAX_SAFE_INTEGER
    if (status === 'handled') handled += 1
  }
  return `${triage.size} ${handled} ${sum}`
}
