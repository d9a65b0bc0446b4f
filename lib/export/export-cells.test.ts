import { expect, test } from 'vitest'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { declaration } from '@/lib/leads/testing/leads'
import { createExportColumns, type LeadAnswer } from './export-cells'
import { selectDefaultColumns } from './export-columns'
import { WORDS } from './testing/words'

test('who answered is a moment of Stockholm, a name and a number, in a file only when it is chosen', () => {
  const names = ['answeredAt', 'answeredBy', 'attempts'] as const
  const triage = { status: 'handled', assignee: null, updatedAt: null } as const
  const cells = (answer?: LeadAnswer) => {
    const row = { lead: declaration('d1'), triage, school: 'Norra', ...(answer && { answer }) }
    return createExportColumns(names, WORDS).map(({ kind, readCell: cell }) => [kind, cell(row)])
  }
  const answeredAt = Date.parse('2026-11-20T13:02:00Z')
  expect(cells({ answeredAt, answeredBy: 'Sara', attempts: 2 })).toEqual([
    ['moment', Date.parse('2026-11-20T14:02:00Z')],
    ['text', 'Sara'],
    ['number', 2],
  ])
  expect(cells().map(([, cell]) => cell)).toEqual([null, null, 0])
  const usual = new Set(LEAD_LISTS.flatMap(selectDefaultColumns))
  expect(names.filter((name) => usual.has(name))).toEqual([])
})
