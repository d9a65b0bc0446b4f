import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { type LeadListQuery, leadKeys } from '@/lib/api/leads'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { head, item } from '@/lib/inbox/testing/pages'
import { nextUnhandled } from './next-lead'

const { list, kind } = LISTS['declarations-of-interest']
const query: LeadListQuery = { sort: '-createdAt' }

const statuses: Readonly<Record<string, LeadStatus>> = { n: 'new', p: 'in-progress', h: 'handled', d: 'dismissed' }
/** A list by its statuses; a dot stands for a row whose page is not loaded. */
function search(
  signs: string,
  { of = query, pages = {} }: { of?: LeadListQuery; pages?: Record<number, string> } = {},
) {
  const lead = (sign: string, index: number) => {
    const status = statuses[sign]
    return status && { ...item(String(index)), triage: { status, assignee: null, updatedAt: null } }
  }
  const client = new QueryClient()
  for (const [offset, page] of Object.entries(pages)) {
    const items = page.split('').flatMap((sign, at) => lead(sign, Number(offset) + at) ?? [])
    client.setQueryData(leadKeys.page(list, of, Number(offset)), { ...head(1, []), items })
  }
  const rows = { count: signs.length, rowAt: (index: number) => lead(signs[index] ?? '.', index) }
  return { today: '2026-11-20', me: 'sara', client, place: list, query: of, rows }
}

describe('the next that waits', () => {
  test('is the first unhandled below', async () => {
    expect(await nextUnhandled(search('nhnn'), 0)).toMatchObject({ index: 2 })
  })

  test('else the first from the top', async () => {
    expect(await nextUnhandled(search('hnhnh'), 3)).toMatchObject({ index: 1 })
  })

  test('is one under way that is one’s own or nobody’s, never a colleague’s', async () => {
    const of = (assignee: string | null) => {
      const found = search('nhpn')
      const rowAt = (index: number) => {
        const row = found.rows.rowAt(index)
        const who = assignee === null ? null : { id: assignee, name: assignee }
        return row && { ...row, triage: { ...row.triage, assignee: who } }
      }
      return nextUnhandled({ ...found, rows: { ...found.rows, rowAt } }, 0)
    }
    expect(await of('sara')).toMatchObject({ index: 2 })
    expect(await of(null)).toMatchObject({ index: 2 })
    expect(await of('karin')).toMatchObject({ index: 3 })
  })

  test('is none when nothing else waits; what was just decided about does not count', async () => {
    expect(await nextUnhandled(search('hnh'), 1)).toBe('none')
  })

  test('is none of those that were handled together, though neither rows nor pages show it yet', async () => {
    const handled = (...ids: string[]) => ids.map((id) => ({ kind, id }))
    expect(await nextUnhandled({ ...search('nnnn'), handled: handled('0', '1', '2') }, 0)).toMatchObject({ index: 3 })
    expect(await nextUnhandled({ ...search('nn'), handled: handled('0', '1') }, 0)).toBe('none')
    const others = [{ kind: 'asked-question' as const, id: '1' }]
    expect(await nextUnhandled({ ...search('nn'), handled: others }, 0)).toMatchObject({ index: 1 })
    const far = search(`n${'.'.repeat(99)}`, { pages: { 0: 'nnn' } })
    expect(await nextUnhandled({ ...far, handled: handled('0', '1') }, 0)).toMatchObject({ index: 2 })
  })

  test('is none that was put aside until a later day', async () => {
    const found = search('nnn')
    const rowAt = (index: number) => {
      const row = found.rows.rowAt(index)
      return row && { ...row, snoozeUntil: index === 1 ? '2026-11-23' : '2026-11-20' }
    }
    expect(await nextUnhandled({ ...found, rows: { ...found.rows, rowAt } }, 0)).toMatchObject({ index: 2 })
  })

  test('in a list without unhandled leads it is the one below, and at its end there is none', async () => {
    const inProgress = { of: { ...query, status: ['in-progress' as const] } }
    expect(await nextUnhandled(search('ppp', inProgress), 1)).toMatchObject({ index: 2 })
    expect(await nextUnhandled(search('ppp', inProgress), 2)).toBe('none')
  })

  test('is looked for on pages that are not loaded, below and then above', async () => {
    const far = `${'h'.repeat(50)}${'.'.repeat(50)}`
    expect(await nextUnhandled(search(far, { pages: { 50: `${'h'.repeat(30)}n` } }), 25)).toMatchObject({ index: 80 })
    const above = `n${'h'.repeat(49)}${'.'.repeat(50)}`
    const pages = { 0: `n${'h'.repeat(49)}`, 50: 'h'.repeat(50) }
    expect(await nextUnhandled(search(above, { pages }), 25)).toMatchObject({ index: 0 })
  })

  test('is not claimed to be none after twenty pages', async () => {
    const pages = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [at * 50, 'h'.repeat(50)]))
    expect(await nextUnhandled(search(`h${'.'.repeat(1_199)}`, { pages }), 0)).toBe('too far')
    expect(await nextUnhandled(search(`h${'.'.repeat(399)}`, { pages }), 0)).toBe('none')
  })
})
