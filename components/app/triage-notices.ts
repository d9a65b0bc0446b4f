import { onlineManager } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { nameOf } from '@/lib/inbox/lead-text'
import type { LeadFields, TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { weekdayAndDate } from '@/lib/time/format-date'
import { stockholmDay } from '@/lib/time/stockholm'

export type Translate = ReturnType<typeof useTranslations<never>>

export function createNotices(t: Translate, locale: Locale) {
  const { done, doneTo, undoneMany, aboutOne } = createSentences(t, locale)
  const waits = () => (onlineManager.isOnline() ? [] : [t('inbox.triage.waits')])
  const lostTo = (count: number) => t('inbox.triage.conflicts', { count })
  return {
    decided: (decision: TriageDecision, leads: readonly TriagedLead[]): string =>
      [doneTo(decision, leads), ...waits()].join(' '),
    noted: (said: string): string => [said, ...waits()].join(' '),
    changed: (what: string, changed: number, conflicts: number): string =>
      [...(changed > 0 ? [what] : []), ...(conflicts > 0 ? [lostTo(conflicts)] : [])].join(' ') ||
      t('inbox.triage.nothingChanged'),
    lost: (decision: TriageDecision, lost: TriageAnswer['conflicts'], leads: readonly TriagedLead[]): string => {
      const [first] = lost
      const only = onlyOf(leads)
      if (first === undefined || only === undefined) return lostTo(lost.length)
      const what = done(asNow(first.now, decision), 1, only)
      const by = first.now.updatedBy?.name
      return by ? t('inbox.triage.conflictBy', { by, what }) : t('inbox.triage.conflict', { what })
    },
    /** `was`: what the one lead is again. */
    undone: ({ decision, count, leads, was }: Undone, restored: number, lost: number): string => {
      if (restored === 0) return t('inbox.triage.undoneNone', { count: Math.max(1, lost) })
      if (lost > 0) return `${t('inbox.triage.undone', { count: restored })} ${lostTo(lost)}`
      const only = onlyOf(leads)
      if (count !== 1 || only === undefined) return undoneMany(restored, commonName(leads))
      if (was === undefined) return aboutOne(only, (name) => t('inbox.triage.undoneOne', { name }))
      const isNewAgain = decision.status !== undefined && was.status === 'new'
      const what = isNewAgain
        ? aboutOne(only, (name) => t('inbox.triage.one.again', { name }))
        : done(asNow(was, decision), 1, only)
      return t('inbox.triage.undoneTo', { what })
    },
    failed: (leads: readonly TriagedLead[]): string => {
      const only = onlyOf(leads)
      if (only === undefined) return t('inbox.triage.failed', { count: leads.length })
      return aboutOne(only, (name) => t('inbox.triage.failedOne', { name }))
    },
    done,
  }
}

type Undone = {
  decision: TriageDecision
  count: number
  leads: readonly TriagedLead[]
  was: LeadFields | undefined
}

function createSentences(t: Translate, locale: Locale) {
  const done = (decision: TriageDecision, count: number, only: TriagedLead | undefined): string => {
    const form = formOf(decision)
    const person = decision.assignee?.name ?? ''
    const { snoozeUntil } = decision
    const day = snoozeUntil ? weekdayAndDate(snoozeUntil, stockholmDay(Date.now()), locale) : ''
    if (only === undefined) return t(`inbox.triage.many.${form}`, { count, person, day })
    return aboutOne(only, (name) => t(`inbox.triage.one.${form}`, { name, person, day }))
  }
  /** Begins with a capital, where what it begins with is a word of ours and no name. */
  const aboutOne = ({ kind, item }: TriagedLead, sentence: (name: string) => string): string => {
    const name = item && nameOf(item)
    if (kind === 'declaration-of-interest' && name) return sentence(name)
    const ours = name
      ? t('inbox.triage.questionFrom', { name })
      : t(kind === 'asked-question' ? 'inbox.triage.question' : 'inbox.triage.declaration')
    const text = sentence(ours)
    return text.startsWith(ours) ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text
  }
  const doneTo = (decision: TriageDecision, leads: readonly TriagedLead[]): string => {
    const what = done(decision, leads.length, onlyOf(leads))
    const name = leads.length > 1 ? commonName(leads) : undefined
    return name === undefined ? what : t('inbox.triage.ofPerson', { name, what })
  }
  const undoneMany = (count: number, name: string | undefined): string =>
    name === undefined ? t('inbox.triage.undone', { count }) : t('inbox.triage.undoneOf', { count, name })
  return { done, doneTo, undoneMany, aboutOne }
}

function onlyOf(leads: readonly TriagedLead[]): TriagedLead | undefined {
  return leads.length === 1 ? leads[0] : undefined
}

/** What the person is called whose leads all of them are, as far as their names tell. */
function commonName(leads: readonly TriagedLead[]): string | undefined {
  const [name, ...others] = new Set(leads.map(({ item }) => item && nameOf(item)))
  return others.length === 0 && name ? name : undefined
}

function asNow({ status, assignee, snoozeUntil }: LeadFields, decision: TriageDecision): TriageDecision {
  // A conflict does not say until when the lead is put aside; then its status is what there is to tell.
  if (decision.snoozeUntil !== undefined && snoozeUntil !== undefined) return { snoozeUntil }
  if (decision.status === undefined && decision.snoozeUntil === undefined)
    return assignee === undefined ? {} : { assignee }
  return status === undefined ? {} : { status }
}

/** Which sentence says the decision. Taking a lead is a decision about both. */
function formOf({ status, assignee, snoozeUntil }: TriageDecision) {
  if (status === 'in-progress' && assignee) return 'take'
  if (status !== undefined) return status
  if (snoozeUntil !== undefined) return snoozeUntil === null ? 'back' : 'snoozed'
  return assignee ? 'assigned' : 'unassigned'
}
