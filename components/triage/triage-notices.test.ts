import { onlineManager } from '@tanstack/react-query'
import { createTranslator } from 'next-intl'
import { afterEach, describe, expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import * as sv from '@/lib/i18n/messages/sv'
import type { UndoStep } from '@/lib/inbox/triage-history'
import { createNotices, untilOnline, type Words } from './triage-notices'

const t = createTranslator({ locale: 'sv', messages: sv }) as unknown as Words
const notices = createNotices(t, 'sv')

const asa = { kind: 'declaration-of-interest', id: 'a', name: 'Åsa Öberg' } as const
const question = { kind: 'asked-question', id: 'q', name: 'asa@example.se' } as const
const karin = { id: 'karin', name: 'Karin Berg' }
const triage = (status: Triage['status'], assignee: Triage['assignee'] = null): Triage => ({
  status,
  assignee,
  updatedAt: null,
})

describe('what comes back later', () => {
  test('names the person and the day, and with a year that is another', () => {
    expect(notices.done({ snoozeUntil: '2031-01-07' }, 1, asa)).toBe('Åsa Öberg återkommer tis 7 jan 2031.')
    expect(notices.done({ snoozeUntil: '2031-01-07' }, 3, undefined)).toBe('3 ärenden återkommer tis 7 jan 2031.')
    expect(notices.done({ snoozeUntil: null }, 1, asa)).toBe('Åsa Öberg är tillbaka i listorna.')
  })

  test('taken back it says what it is again', () => {
    const before = [{ kind: asa.kind, id: asa.id, triage: { ...triage('new'), snoozeUntil: null } }]
    const step = { before, decision: { snoozeUntil: '2031-01-07' }, count: 1, only: asa } as unknown as UndoStep
    expect(notices.undone(step, { restored: 1, conflicts: 0 })).toBe('Ångrat: Åsa Öberg är tillbaka i listorna.')
  })
})

describe('a decision about one', () => {
  test('names the person, and how many unhandled remain in the list', () => {
    expect(notices.decided({ status: 'handled' }, [asa], 12)).toBe('Åsa Öberg är hanterad. 12 nya kvar i listan.')
    expect(notices.decided({ status: 'dismissed' }, [asa], 0)).toBe(
      'Åsa Öberg är inte aktuell. Inget nytt kvar i listan.',
    )
  })

  test('claims nothing of what remains where that is not known', () => {
    expect(notices.decided({ status: 'handled' }, [asa], undefined)).toBe('Åsa Öberg är hanterad.')
  })

  test('names a question by its sender; an address begins as it is written', () => {
    expect(notices.decided({ status: 'handled' }, [question], undefined)).toBe(
      'Frågan från asa@example.se är hanterad.',
    )
    expect(notices.decided({ status: 'handled' }, [{ ...question, name: null }], undefined)).toBe('Frågan är hanterad.')
    const nameless = { ...asa, name: 'asa@example.se' }
    expect(notices.decided({ status: 'handled' }, [nameless], undefined)).toBe('asa@example.se är hanterad.')
    expect(notices.decided({ status: 'handled' }, [{ ...asa, name: null }], undefined)).toBe('Anmälan är hanterad.')
  })

  test('says who looks after them', () => {
    expect(notices.decided({ assignee: karin }, [asa], undefined)).toBe('Karin Berg är ansvarig för Åsa Öberg.')
    expect(notices.decided({ assignee: karin }, [question], undefined)).toBe(
      'Karin Berg är ansvarig för frågan från asa@example.se.',
    )
    expect(notices.decided({ assignee: null }, [asa], undefined)).toBe('Åsa Öberg har ingen ansvarig.')
    expect(notices.decided({ status: 'in-progress', assignee: karin }, [asa], undefined)).toBe('Du tar Åsa Öberg.')
  })
})

test('a decision about many counts them', () => {
  expect(notices.decided({ status: 'handled' }, [asa, question], undefined)).toBe(
    '2 ärenden är markerade som hanterade.',
  )
  const asked = { ...question, name: asa.name }
  expect(notices.decided({ status: 'handled' }, [asa, asked], undefined)).toBe(
    'Åsa Öberg: 2 ärenden är markerade som hanterade.',
  )
  expect(notices.changed({ status: 'handled' }, 12, 0)).toBe('12 ärenden är markerade som hanterade.')
  expect(notices.changed({ assignee: karin }, 3, 1)).toContain('Karin Berg är ansvarig för 3 ärenden. 1 ärende')
  expect(notices.changed({ status: 'handled' }, 0, 0)).toBe('Inget behövde ändras.')
})

describe('what somebody did without a network', () => {
  const said = (decision: UndoStep['decision']) => untilOnline(t, 'sv', { only: asa, decision })
  afterEach(() => onlineManager.setOnline(true))

  test('is not told as done: what it comes to, and that it waits', () => {
    onlineManager.setOnline(false)
    expect(said({ status: 'handled' })).toBe('Åsa Öberg är hanterad. Sparas när nätet är tillbaka.')
    expect(said({ snoozeUntil: '2031-01-07' })).toBe(
      'Åsa Öberg återkommer tis 7 jan 2031. Sparas när nätet är tillbaka.',
    )
    expect(said({})).toBe('Sparas när nätet är tillbaka.')
  })

  test('is told as it is with one', () => {
    expect(said({ status: 'handled' })).toBeUndefined()
  })
})

describe('who comes second', () => {
  const now = { ...triage('handled'), updatedBy: karin }

  test('is told who was faster, and what they did to whom', () => {
    expect(notices.lost({ status: 'dismissed' }, [{ ...asa, now }], [asa])).toBe(
      'Karin Berg hann före: Åsa Öberg är hanterad.',
    )
    const unknown = { ...asa, now: triage('handled') }
    expect(notices.lost({ status: 'dismissed' }, [unknown], [asa])).toBe(
      'Någon annan hann före: Åsa Öberg är hanterad.',
    )
  })

  test('is told of the field that was decided', () => {
    const assigned = { ...asa, now: { ...triage('new', karin), updatedBy: karin } }
    expect(notices.lost({ assignee: null }, [assigned], [asa])).toBe(
      'Karin Berg hann före: Karin Berg är ansvarig för Åsa Öberg.',
    )
  })

  test('of many is told how many', () => {
    expect(notices.lost({ status: 'handled' }, [{ ...asa, now }], [asa, question])).toMatch(/^1 ärende/)
  })
})

describe('what was taken back', () => {
  const step = (more: Partial<UndoStep> = {}): UndoStep => ({
    token: Promise.resolve('x'),
    before: [{ ...asa, triage: triage('new') }],
    decision: { status: 'handled' },
    count: 1,
    only: asa,
    topic: 'triage 1',
    ...more,
  })
  const done = { restored: 1, conflicts: 0 }

  test('names the person and what they are again', () => {
    expect(notices.undone(step(), done)).toBe('Ångrat: Åsa Öberg är ny igen.')
    const handled = [{ ...asa, triage: triage('handled') }]
    expect(notices.undone(step({ before: handled }), done)).toBe('Ångrat: Åsa Öberg är hanterad.')
    const assigned = step({ decision: { assignee: karin } })
    expect(notices.undone(assigned, done)).toBe('Ångrat: Åsa Öberg har ingen ansvarig.')
    expect(notices.undone(step({ before: [] }), done)).toBe('Ångrat: Åsa Öberg.')
  })

  test('names the person of whom many were', () => {
    const many = step({ before: [], count: 2, only: undefined, name: 'Åsa Öberg' })
    expect(notices.undone(many, { restored: 2, conflicts: 0 })).toBe('Ångrat för 2 ärenden från Åsa Öberg.')
  })

  test('counts many, and those that somebody has changed since', () => {
    const many = step({ before: [], count: 60, only: undefined })
    expect(notices.undone(many, { restored: 60, conflicts: 0 })).toBe('Ångrat för 60 ärenden.')
    expect(notices.undone(many, { restored: 59, conflicts: 1 })).toMatch(/^Ångrat för 59 ärenden\. 1 ärende/)
    expect(notices.undone(step(), { restored: 0, conflicts: 1 })).toMatch(/^Det gick inte att ångra/)
  })
})

test('what could not be saved names the person', () => {
  expect(notices.failed([asa])).toMatch(/^Åsa Öberg: ändringen kunde inte sparas/)
  expect(notices.failed([question])).toMatch(/^Frågan från asa@example\.se: /)
  expect(notices.failed([asa, question])).toMatch(/^2 ändringar kunde inte sparas/)
})
