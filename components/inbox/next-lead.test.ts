import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { type LeadListQuery, pageQueryKeys } from '@/lib/api/leads'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { head, item } from '@/lib/inbox/testing/pages'
import { findNextLead } from './next-lead'

const { list, kind } = LISTS['declarations-of-interest']
const query: LeadListQuery = { sort: '-createdAt' }
const user = { today: '2026-11-20', userId: 'sara', listOrQueue: list }

const statuses: Readonly<Record<string, LeadStatus>> = { n: 'new', p: 'in-progress', h: 'handled', d: 'dismissed' }
type Lead = ReturnType<typeof item>
type Options = {
  filter?: LeadListQuery
  pages?: Record<number, string>
  change?: (lead: Lead) => Partial<Lead>
  handled?: string
}

/** The next lead after row `start` of a list by its statuses; a dot stands for a row whose page is not loaded. */
async function next(signs: string, start: number, { filter = query, pages = {}, change, handled = '' }: Options = {}) {
  const lead = (sign: string, index: number) => {
    const status = statuses[sign]
    const its = status && { ...item(String(index)), triage: { status, assignee: null, updatedAt: null } }
    return its && { ...its, ...change?.(its) }
  }
  const client = new QueryClient()
  for (const [offset, page] of Object.entries(pages)) {
    const items = page.split('').flatMap((sign, at) => lead(sign, Number(offset) + at) ?? [])
    client.setQueryData(pageQueryKeys.page(list, filter, Number(offset)), { ...head(1, []), items })
  }
  const rows = { count: signs.length, rowAt: (index: number) => lead(signs[index] ?? '.', index) }
  const justDecided = [...handled].map((id) => ({ kind, id }))
  const found = await findNextLead({ ...user, client, query: filter, rows, justDecided }, start)
  return typeof found === 'string' ? found : found.index
}

describe('the next that waits', () => {
  test('is the first unhandled below, else the first from the top, else none', async () => {
    expect(await next('nhnn', 0)).toBe(2)
    expect(await next('hnhnh', 3)).toBe(1)
    expect(await next('hnh', 1), 'what was just decided about does not count').toBe('none')
  })

  test.each([
    [{ id: 'sara', name: 'Sara' }, 2],
    [null, 2],
    [{ id: 'karin', name: 'Karin' }, 3],
  ])('under way and assigned to %o: row %i, as a colleague’s lead does not count', async (assignee, index) => {
    const change = ({ triage }: Lead) => ({ triage: { ...triage, assignee } })
    expect(await next('nhpn', 0, { change })).toBe(index)
  })

  test('is none of those that were handled together, though neither rows nor pages show it yet', async () => {
    expect(await next('nnnn', 0, { handled: '120' })).toBe(3)
    expect(await next('nn', 0, { handled: '01' })).toBe('none')
    expect(await next(`n${'.'.repeat(99)}`, 0, { pages: { 0: 'nnn' }, handled: '01' })).toBe(2)
  })

  test('is none that was put aside until a later day', async () => {
    const change = ({ id }: Lead) => ({ snoozeUntil: id === '1' ? '2026-11-23' : '2026-11-20' })
    expect(await next('nnn', 0, { change })).toBe(2)
  })

  test('in a list without unhandled leads it is the one below, and at its end there is none', async () => {
    const filter = { ...query, status: ['in-progress' as const] }
    expect([await next('ppp', 1, { filter }), await next('ppp', 2, { filter })]).toEqual([2, 'none'])
  })

  test('is looked for on pages that are not loaded, below and then above', async () => {
    const far = `${'h'.repeat(50)}${'.'.repeat(50)}`
    expect(await next(far, 25, { pages: { 50: `${'h'.repeat(30)}n` } })).toBe(80)
    const above = `n${'h'.repeat(49)}${'.'.repeat(50)}`
    expect(await next(above, 25, { pages: { 50: 'h'.repeat(50) } })).toBe(0)
  })

  test('is not claimed to be none after twenty pages', async () => {
    const pages = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at * 50, 'h'.repeat(50)]))
    expect(await next(`h${'.'.repeat(1_199)}`, 0, { pages })).toBe('too far')
    expect(await next(`h${'.'.repeat(399)}`, 0, { pages })).toBe('none')
  })
})
