import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type LeadListQuery, pageQueryKeys } from '@/lib/api/leads'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { OWN_CHANGE } from '@/lib/inbox/own-changes'
import { leadPage, item } from '@/lib/inbox/testing/pages'
import { findNextLead } from './next-lead'

const { list, kind } = LISTS['declarations-of-interest']
const newest: LeadListQuery = { sort: '-createdAt' }
const statuses: Readonly<Record<string, LeadStatus>> = { n: 'new', p: 'in-progress', h: 'handled' }
type Lead = ReturnType<typeof item>
type Options = {
  query?: LeadListQuery
  pages?: Record<number, string>
  fields?: Partial<Lead>[]
  handled?: string
  own?: string
}

/** The row of the next lead after row `start` of a list by its statuses; a dot is a row whose page is not loaded. */
async function next(signs: string, start: number, options: Options) {
  const { query = newest, pages = {}, fields = [], handled = '', own = '' } = options
  const lead = (sign: string, index: number): Lead | undefined => {
    const status = statuses[sign]
    return status && { ...item(String(index)), triage: { status, assignee: null, updatedAt: null }, ...fields[index] }
  }
  const client = new QueryClient()
  for (const [offset, page] of Object.entries(pages)) {
    const items = page.split('').flatMap((sign, at) => lead(sign, Number(offset) + at) ?? [])
    client.setQueryData(pageQueryKeys.page(list, query, Number(offset)), { ...leadPage(1, []), items })
  }
  for (const id of own) {
    const leads = [{ kind, id, before: null, fields: { status: 'handled' } }]
    const mutation = client.getMutationCache().build(client, { mutationKey: OWN_CHANGE })
    mutation.state = { ...mutation.state, status: 'pending', variables: { leads } }
  }
  const rows = { count: signs.length, rowAt: (index: number) => lead(signs[index] ?? '.', index) }
  const justDecided = [...handled].map((id) => ({ kind, id }))
  const search = { today: '2026-11-20', userId: 'sara', listOrQueue: list, client, query, rows, justDecided }
  const found = await findNextLead(search, start)
  return typeof found === 'string' ? found : found.index
}

const underWay = (id: string) => ({
  triage: { status: 'in-progress' as const, assignee: { id, name: id }, updatedAt: null },
})
const filtered = { query: { ...newest, status: ['in-progress' as const] } }
const [h49, h50, dots50] = ['h'.repeat(49), 'h'.repeat(50), '.'.repeat(50)]
const handledPages = Object.fromEntries(Array.from({ length: 24 }, (_, page) => [page * 50, h50]))

test.each<[string, string, number, Options, number | 'none' | 'gave-up']>([
  ['the first unhandled below', 'nhnn', 0, {}, 2],
  ['else the first from the top', 'hnhnh', 3, {}, 1],
  ['else none, even if the lead that was just decided about is new', 'hnh', 1, {}, 'none'],
  ['one under way that nobody has', 'nhpn', 0, {}, 2],
  ['one under way that is one’s own', 'nhpn', 0, { fields: [{}, {}, underWay('sara')] }, 2],
  ['not a colleague’s under way', 'nhpn', 0, { fields: [{}, {}, underWay('karin')] }, 3],
  ['none that is put aside until a later day', 'nnn', 0, { fields: [{}, { snoozeUntil: '2026-11-23' }] }, 2],
  ['one whose day has come', 'nn', 0, { fields: [{}, { snoozeUntil: '2026-11-20' }] }, 1],
  ['none of those that were handled together', 'nnnn', 0, { handled: '120' }, 3],
  ['also where a page shows them yet', `n${'.'.repeat(99)}`, 0, { pages: { 0: 'nnn' }, handled: '01' }, 2],
  ['none of those whose decision a page does not have yet', '....', 0, { pages: { 0: 'nnnn' }, own: '12' }, 3],
  ['the one below in a list without unhandled leads', 'ppp', 1, filtered, 2],
  ['none at the end of such a list', 'ppp', 2, filtered, 'none'],
  ['on a page below that is not loaded', `${h50}${dots50}`, 25, { pages: { 50: `${'h'.repeat(30)}n` } }, 80],
  ['from the top, after a page that is not loaded', `n${h49}${dots50}`, 25, { pages: { 50: h50 } }, 0],
  ['not known after twenty pages without one', `h${'.'.repeat(1_199)}`, 0, { pages: handledPages }, 'gave-up'],
])('the next lead is %s', async (_, signs, start, options, found) => {
  expect(await next(signs, start, options)).toBe(found)
})
