import type { FirstAnswer } from '@/lib/api/refresh'
import { type LeadListQuery, leadPage, type LeadPage, oneLead, PAGE_SIZE } from '@/lib/api/leads'
import { highSchools, listCounts } from '@/lib/api/queries'
import { type Asked, asked, queryString } from '@/lib/api/send'
import type { HighSchoolsAnswer, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { filterOf, readFilterParams, toListQuery } from '@/lib/inbox/filter-params'
import { FirstData } from './first-data'
import { Inbox } from './inbox'

type InboxScreenProps = {
  list: LeadList
  searchParams: Promise<Record<string, string | string[] | undefined>>
  readPage: (query: LeadListQuery & { offset: number; limit: number }) => Promise<Omit<LeadPage, 'askedAt'>>
  readSchools: () => Promise<HighSchoolsAnswer>
  readCounts: (filter: LeadFilter) => Promise<ListCounts>
}

/** The first rows, the lead, schools and counts are in the HTML. The browser asks for what cannot be read now. */
export async function InboxScreen({ list, searchParams, readPage, readSchools, readCounts }: InboxScreenProps) {
  const search = new URLSearchParams(queryString(await searchParams))
  const query = toListQuery(list, readFilterParams(search))
  const filter = filterOf(query)
  const lead = search.get('lead')
  const answers = await Promise.all([
    firstAnswer(leadPage(list, query, 0).queryKey, () => readPage({ ...query, offset: 0, limit: PAGE_SIZE })),
    firstAnswer(highSchools.queryKey, readSchools),
    firstAnswer(listCounts(list, filter).queryKey, () => readCounts(filter)),
    lead !== null &&
      firstAnswer(oneLead(list, lead).queryKey, () =>
        readPage({ id: [lead], sort: '-createdAt', offset: 0, limit: 1 }),
      ),
  ])
  return (
    <FirstData json={JSON.stringify(answers.filter(Boolean))}>
      <Inbox list={list} />
    </FirstData>
  )
}

async function firstAnswer(key: readonly unknown[], read: () => Promise<object>): Promise<FirstAnswer<Asked> | null> {
  try {
    return { key, data: await asked(read), at: Date.now() }
  } catch {
    return null
  }
}
