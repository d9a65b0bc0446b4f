import { expect, test } from 'vitest'
import { makeViewer } from '@/server/access/make-viewer'
import type { SchoolScope } from '@/lib/contract/user'
import type { DeskEvent } from './desk-event'
import { gatherTriage } from './gather-triage'
import { toldTo } from './told-to'

const viewer = (role: 'staff' | 'manager', schools: SchoolScope) =>
  makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools })
const norra = viewer('staff', ['norra'])
const manager = viewer('manager', 'all')
const changed = { name: 'changed', change: { list: 'asked-questions', version: 3 } } as const
const lead = {
  name: 'lead',
  school: 'sodra',
  lead: { kind: 'asked-question', id: 'q1', what: 'notes' },
} as const
const triage = (...changes: { by: string; schools: string[] }[]) =>
  ({ name: 'triage', list: 'asked-questions', changes }) satisfies DeskEvent

test('everyone is told that a list changed', () => {
  expect([norra, manager].map((one) => toldTo(one, changed)?.data)).toEqual([changed.change, changed.change])
})

test('of a lead only those who may see it are told', () => {
  expect(toldTo(norra, lead)).toBeNull()
  expect(toldTo(manager, lead)).toBeNull()
  expect(toldTo(viewer('staff', ['sodra']), lead)).toEqual({ name: 'lead', data: lead.lead })
})

test('of triage one learns in one’s own schools, and who it was unless they were several', () => {
  const inBoth = triage({ by: 'sara', schools: ['norra', 'sodra'] }, { by: 'nils', schools: ['sodra'] })
  expect(toldTo(norra, inBoth)?.data).toEqual({ list: 'asked-questions', by: 'sara' })
  expect(toldTo(viewer('staff', 'all'), inBoth)?.data).toEqual({ list: 'asked-questions', by: '' })
  expect(toldTo(norra, triage({ by: 'nils', schools: ['sodra'] }))).toBeNull()
  expect(toldTo(manager, inBoth)).toBeNull()
})

test('many changes are told once a second, after the second, with everything in it', () => {
  const told: DeskEvent[] = []
  const later: (() => void)[] = []
  const gather = gatherTriage({ tell: (event) => told.push(event), schedule: (_, run) => later.push(run) })
  const pass = () => later.splice(0).forEach((run) => run())
  for (let count = 0; count < 100; count += 1) gather(triage({ by: 'sara', schools: ['norra'] }))
  gather(triage({ by: 'nils', schools: ['sodra'] }))
  gather({ ...triage({ by: 'sara', schools: ['norra'] }), list: 'declarations-of-interest' })
  gather(lead)
  expect(told).toEqual([lead])
  pass()
  expect(told.slice(1)).toEqual([
    triage({ by: 'sara', schools: ['norra'] }, { by: 'nils', schools: ['sodra'] }),
    { ...triage({ by: 'sara', schools: ['norra'] }), list: 'declarations-of-interest' },
  ])
  gather(triage({ by: 'eva', schools: ['norra'] }))
  pass()
  expect(told.at(-1)).toEqual(triage({ by: 'eva', schools: ['norra'] }))
  pass()
  expect(told).toHaveLength(4)
})
