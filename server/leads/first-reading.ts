import 'server-only'
import { LISTS_BY_KIND, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { allow, makeViewer } from '@/server/access/viewer'
import type { Feed } from '@/server/feed/feed'
import { readLeads } from '@/server/feed/ingest'
import { emptyListState } from '@/server/feed/list-refresher'
import { interestPage } from '@/server/interest/interest'
import { createInterestCache } from '@/server/interest/interest-cache'
import { listCounts } from './list-counts'
import { listLeads } from './list-leads'
import { countList } from './work-counts'

type Own = keyof typeof NOBODY_LOOKS | 'feed' | 'interest'
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
const NOBODY_LOOKS = {
  visits: { visit: async () => null, lastEnded: async () => null },
  reading: { shown: () => {}, searched: () => {}, opened: () => {} },
}

/**
 * Everything that the first people to look would have worked out over this table, beside an empty other list: what never ends
 * does so before the list is shown, and while the watchdog knows whose answer it is. Recorded nowhere.
 */
export async function firstReading(parts: Parts, table: LeadTable, yieldTurn: () => Promise<void>) {
  const { list, kind } = LISTS_BY_KIND[table.kind]
  const feed = await feedOf(parts.feed, table)
  const seen = { ...parts, ...NOBODY_LOOKS, feed, interest: createInterestCache() }
  const steps = [
    () => listLeads(seen, STAFF, list, PAGE),
    () => listLeads(seen, STAFF, list, { ...PAGE, sort: 'school' }),
    () => listLeads(seen, STAFF, list, { ...PAGE, q: 'anna 070' }),
    () => listCounts(seen, STAFF, { list }),
    () => countList(seen, STAFF, kind, undefined),
    () => interestPage(seen, STAFF, {}),
    () => interestPage(seen, MANAGER, {}),
  ]
  for (const step of steps) {
    await step()
    await yieldTurn()
  }
}

async function feedOf({ highSchools }: Parts['feed'], table: LeadTable) {
  const other = OTHER_KIND[table.kind]
  const body = Buffer.from(JSON.stringify({ [LISTS_BY_KIND[other].field]: [] }))
  const none = await readLeads({ kind: other, body, yield: () => Promise.resolve() })
  if (!none.ok) throw new Error(none.detail)
  const stateOf = (content: { table: LeadTable }) => () => ({
    ...emptyListState<typeof content>(),
    content,
    fetchedAt: Date.now(),
  })
  const [given, empty] = [stateOf({ table }), stateOf(none.list)]
  const isQuestions = table.kind === 'asked-question'
  return {
    highSchools,
    markWatched: () => {},
    ready: async () => {},
    askedQuestions: isQuestions ? given : empty,
    declarations: isQuestions ? empty : given,
  }
}
