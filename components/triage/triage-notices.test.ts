import { onlineManager } from '@tanstack/react-query'
import { createTranslator } from 'next-intl'
import { afterEach, describe, expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import * as sv from '@/lib/i18n/messages/sv'
import type { UndoStep } from '@/lib/inbox/undo-steps'
import { createNotices, untilOnline, type Translate } from './triage-notices'

const t = createTranslator({ locale: 'sv', messages: sv }) as unknown as Translate
const notices = createNotices(t, 'sv')

const asa = { kind: 'declaration-of-interest', id: 'a', name: 'Åsa Öberg' } as const
const question = { kind: 'asked-question', id: 'q', name: 'asa@example.se' } as const
const karin = { id: 'karin', name: 'Karin Berg' }
const triage = (status: Triage['status'], assignee: Triage['assignee'] = null): Triage => ({
  status,
  assignee,
  updatedAt: null,
})
const handled = { status: 'handled' } as const
const dismissed = { status: 'dismissed' } as const
const aside = { snoozeUntil: '2031-01-07' }

describe('a decision', () => {
  test.each([
    ['names the person and the day, of another year too', aside, 1, asa, 'Påminnelse om Åsa Öberg tis 7 jan 2031.'],
    ['of many counts them', aside, 3, undefined, 'Påminnelse om 3 ärenden tis 7 jan 2031.'],
    ['brings back', { snoozeUntil: null }, 1, asa, 'Åsa Öberg är tillbaka i listorna.'],
  ])('%s', (_what, decision, count, only, said) => {
    expect(notices.done(decision, count, only)).toBe(said)
  })

  test.each([
    ['tells how many unhandled remain', handled, [asa], 'Åsa Öberg är hanterad. 12 nya kvar i listan.', 12],
    ['tells that none remains', dismissed, [asa], 'Åsa Öberg är inte aktuell. Inget nytt kvar i listan.', 0],
    ['claims nothing of what is not known', handled, [asa], 'Åsa Öberg är hanterad.'],
    ['names a question by its sender', handled, [question], 'Frågan från asa@example.se är hanterad.'],
    ['needs no sender', handled, [{ ...question, name: null }], 'Frågan är hanterad.'],
    ['begins an address as written', handled, [{ ...asa, name: question.name }], 'asa@example.se är hanterad.'],
    ['needs no name', handled, [{ ...asa, name: null }], 'Anmälan är hanterad.'],
    ['says who looks after the lead', { assignee: karin }, [asa], 'Karin Berg är ansvarig för Åsa Öberg.'],
    ['or it', { assignee: karin }, [question], 'Karin Berg är ansvarig för frågan från asa@example.se.'],
    ['or nobody', { assignee: null }, [asa], 'Åsa Öberg har ingen ansvarig.'],
    ['takes the lead', { status: 'in-progress', assignee: karin }, [asa], 'Du tar Åsa Öberg.'],
    ['counts many', handled, [asa, question], '2 ärenden är markerade som hanterade.'],
    [
      'names whose',
      handled,
      [asa, { ...question, name: asa.name }],
      'Åsa Öberg: 2 ärenden är markerade som hanterade.',
    ],
  ] as const)('%s', (_what, decision, leads, said, left?: number) => {
    expect(notices.decided(decision, leads, left)).toBe(said)
  })

  test('about all that match counts what changed, and what a colleague was faster with', () => {
    expect(notices.changed(notices.done(handled, 12, undefined), 12, 0)).toBe('12 ärenden är markerade som hanterade.')
    expect(notices.changed(notices.done({ assignee: karin }, 3, undefined), 3, 1)).toContain(
      'Karin Berg är ansvarig för 3 ärenden. 1 ärende',
    )
    expect(notices.changed('', 0, 0)).toBe('Inget behövde ändras.')
  })

  test('that could not be saved names the person', () => {
    expect(notices.failed([asa])).toMatch(/^Åsa Öberg: ändringen kunde inte sparas/)
    expect(notices.failed([question])).toMatch(/^Frågan från asa@example\.se: /)
    expect(notices.failed([asa, question])).toMatch(/^2 ändringar kunde inte sparas/)
  })
})

describe('a decision without a network', () => {
  const said = (decision: UndoStep['decision']) => untilOnline(t, 'sv', { only: asa, decision })
  afterEach(() => onlineManager.setOnline(true))

  test.each([
    [handled, 'Åsa Öberg är hanterad. Sparas när nätet är tillbaka.'],
    [aside, 'Påminnelse om Åsa Öberg tis 7 jan 2031. Sparas när nätet är tillbaka.'],
    [{}, 'Sparas när nätet är tillbaka.'],
  ])('%o is not announced as done: what it comes to, and that it waits', (decision, words) => {
    onlineManager.setOnline(false)
    expect(said(decision)).toBe(words)
  })

  test('is announced as it is with a network', () => {
    expect(said(handled)).toBeUndefined()
  })
})

describe('who comes second', () => {
  const now = { ...triage('handled'), updatedBy: karin }
  const assigned = { ...triage('new', karin), updatedBy: karin }

  test.each([
    ['who was faster, and what they did to whom', dismissed, now, 'Karin Berg hann före: Åsa Öberg är hanterad.'],
    ['no name that is not known', dismissed, triage('handled'), 'Någon annan hann före: Åsa Öberg är hanterad.'],
    ['what was decided', { assignee: null }, assigned, 'Karin Berg hann före: Karin Berg är ansvarig för Åsa Öberg.'],
  ])('is announced %s', (_what, decision, is, said) => {
    expect(notices.lost(decision, [{ ...asa, now: is }], [asa])).toBe(said)
  })

  test('is announced with how many, for many', () => {
    expect(notices.lost(handled, [{ ...asa, now }], [asa, question])).toMatch(/^1 ärende/)
  })
})

describe('what was taken back', () => {
  const was = (status: Triage['status']) => [{ ...asa, triage: { ...triage(status), snoozeUntil: null }, fields: {} }]
  const many = { before: [], count: 60, only: undefined }
  const all = (restored: number, conflicts = 0) => ({ restored, conflicts })

  test.each<[string, Partial<UndoStep>, { restored: number; conflicts: number }, unknown]>([
    ['a new lead is new again', {}, all(1), 'Ångrat: Åsa Öberg är ny igen.'],
    ['another is what it was', { before: was('handled') }, all(1), 'Ångrat: Åsa Öberg är hanterad.'],
    ['nobody looks after it', { decision: { assignee: karin } }, all(1), 'Ångrat: Åsa Öberg har ingen ansvarig.'],
    ['it is back in the lists', { decision: aside }, all(1), 'Ångrat: Åsa Öberg är tillbaka i listorna.'],
    ['of what is not loaded the name', { before: [] }, all(1), 'Ångrat: Åsa Öberg.'],
    ['whose many were', { ...many, count: 2, name: 'Åsa Öberg' }, all(2), 'Ångrat för 2 ärenden från Åsa Öberg.'],
    ['many are counted', many, all(60), 'Ångrat för 60 ärenden.'],
    ['but for what changed since', many, all(59, 1), expect.stringMatching(/^Ångrat för 59 ärenden\. 1 ärende/)],
    ['none could be', {}, all(0, 1), expect.stringMatching(/^Det gick inte att ångra/)],
  ])('%s', (_what, more, answer, said) => {
    const token = Promise.resolve('x')
    const step: UndoStep = { token, before: was('new'), decision: handled, count: 1, only: asa, topic: 'one', ...more }
    expect(notices.undone(step, answer)).toEqual(said)
  })
})
