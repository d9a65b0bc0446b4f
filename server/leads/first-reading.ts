import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { LISTS_BY_KIND, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { allow, makeViewer } from '@/server/access/viewer'
import type { Feed } from '@/server/feed/feed'
import { readLeads } from '@/server/feed/ingest'
import { emptyListState } from '@/server/feed/list-state'
import { interestPage } from '@/server/interest/interest'
import { createInterestCache } from '@/server/interest/interest-cache'
import { countList, listCounts } from './list-counts'
import { listLeads } from './list-leads'
import { listQueue } from './list-queue'

type Own = keyof typeof NO_SIDE_EFFECTS | 'feed' | 'interest'
type Needed = Parameters<typeof listLeads>[0] &
  Parameters<typeof listCounts>[0] &
  Parameters<typeof countList>[0] &
  Parameters<typeof interestPage>[0]
type Parts = Omit<Needed, Own> & { feed: Pick<Feed, 'highSchools'> }

const PERSON = { id: 'first-reading', name: '', email: '', schools: 'all' } as const
const [STAFF, MANAGER] = [
  allow(makeViewer({ ...PERSON, role: 'staff' }), 'leads:read'),
  allow(makeViewer({ ...PERSON, role: 'manager' }), 'interest:read'),
]
const PAGE = { offset: 0, limit: 50 }
const NO_SIDE_EFFECTS = {
  visits: { visit: async () => null, lastEnded: async () => null },
  openings: { add: () => {} },
}

type Reading = { ids?: readonly string[] | undefined; yieldTurn: () => Promise<void> }

/**
 * Computes what the first people to look will ask for, with an empty other list: what never ends must not end before
 * the list is shown, while the watchdog knows whose answer it is. Records nothing.
 */
export async function firstReading(parts: Parts, whole: LeadTable, { ids, yieldTurn }: Reading) {
  const table = ids === undefined || ids.length > MAX_SEPARATE ? whole : await tableOf(whole, ids)
  const { list, kind } = LISTS_BY_KIND[table.kind]
  const feed = await feedOf(parts.feed, table)
  const seen = { ...parts, ...NO_SIDE_EFFECTS, feed, interest: createInterestCache() }
  const steps = [
    () => listLeads(seen, STAFF, list, PAGE),
    () => listLeads(seen, STAFF, list, { ...PAGE, sort: 'school' }),
    () => listLeads(seen, STAFF, list, { ...PAGE, q: 'anna 070' }),
    () => listQueue(seen, STAFF, 'waiting', PAGE),
    () => listCounts(seen, STAFF, { matching: { list } }),
    () => countList(seen, STAFF, kind, undefined),
    () => interestPage(seen, STAFF, {}),
    () => interestPage(seen, MANAGER, {}),
  ]
  for (const step of steps) {
    await step()
    await yieldTurn()
  }
}

const MAX_SEPARATE = 1_000

async function tableOf(whole: LeadTable, ids: readonly string[]): Promise<LeadTable> {
  const rows = ids.map((id) => whole.rowOf(id)).filter((row) => row !== -1)
  return readTable(
    whole.kind,
    rows.map((row) => whole.lead(row)),
  )
}

async function readTable(kind: LeadTable['kind'], leads: readonly Lead[]): Promise<LeadTable> {
  const body = Buffer.from(JSON.stringify({ [LISTS_BY_KIND[kind].field]: leads }))
  const reading = await readLeads({ kind, body, yield: () => Promise.resolve() })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list.table
}

async function feedOf({ highSchools }: Parts['feed'], table: LeadTable) {
  const none = await readTable(OTHER_KIND[table.kind], [])
  const stateOf = (content: { table: LeadTable }) => () => ({
    ...emptyListState<typeof content>(),
    content,
    fetchedAt: Date.now(),
  })
  const [filled, empty] = [stateOf({ table }), stateOf({ table: none })]
  const isQuestions = table.kind === 'asked-question'
  return {
    highSchools,
    markWatched: () => {},
    ready: async () => {},
    askedQuestions: isQuestions ? filled : empty,
    declarations: isQuestions ? empty : filled,
  }
}
