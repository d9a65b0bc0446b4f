import { useFormatter, useTranslations } from 'next-intl'
import type { ActivityItem } from '@/lib/contract/activity'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import { useSchoolNames } from './schools'

type LogEntry = Pick<ActivityItem, 'action' | 'details' | 'lead' | 'user'>
type SentenceContext = {
  /** The keys are plain strings, and `has` tells whether one exists, because other releases may have logged a word. */
  t: ((key: string, values?: Record<string, string | number>) => string) & { has: (key: string) => boolean }
  format: Pick<ReturnType<typeof useFormatter>, 'list'>
  nameUser: (id: string) => string
  nameSchool: (id: string) => string
}

/** Returns a function that writes an entry of the log as a sentence, such as "Skickade svar med e-post på frågan". */
export function useActivitySentence(nameUser: SentenceContext['nameUser']) {
  const t = useTranslations() as unknown as SentenceContext['t']
  const context = { t, format: useFormatter(), nameUser, nameSchool: useSchoolNames().nameById }
  return (entry: LogEntry) => writeActivitySentence(entry, context)
}

const USER_DETAILS = ['user', 'assignee', 'added', 'removed']
const ROLE_DETAILS = ['role', 'secondFactorFor']
const STATUS_DETAILS = ['from', 'to']
/** These details select a case of an ICU message. Hyphens and dots, which its name cannot hold, become underscores. */
const CASE_DETAILS = ['with', 'factor', 'reason', 'channel', 'outcome', 'list', 'format', 'state', 'setting']
const NAMED_DETAILS = ['schools', 'columns']
const PLAIN_DETAILS = ['method', 'route', 'shared', 'allowed']
const TEXT_DETAILS = [USER_DETAILS, ROLE_DETAILS, STATUS_DETAILS, CASE_DETAILS, NAMED_DETAILS, PLAIN_DETAILS].flat()
const NUMBER_DETAILS = ['count', 'written', 'leads', 'missing']

/** Writes an entry as a sentence. A missing detail is `none` or 0, because a message needs all of its arguments. */
export function writeActivitySentence(entry: LogEntry, context: SentenceContext): string {
  const { action, details, lead, user } = entry
  const { t, format, nameUser, nameSchool } = context
  const knownAction = ACTIVITY_ACTIONS.find((name) => name === action)
  if (knownAction === undefined) return action
  const translateIfKnown = (key: string, text: string) => (t.has(key) ? t(key) : text)
  const translateValue = (name: string, text: string): string => {
    if (USER_DETAILS.includes(name)) return nameUser(text)
    if (ROLE_DETAILS.includes(name)) return translateIfKnown(`common.role.${text}`, text).toLowerCase()
    if (STATUS_DETAILS.includes(name)) return translateIfKnown(`common.status.${text}`, text)
    if (name === 'schools') return text === 'all' ? t('activity.allSchools') : nameSchool(text)
    if (name === 'columns') return translateIfKnown(`export.column.${text}`, text)
    return CASE_DETAILS.includes(name) ? text.replaceAll(/[-.]/g, '_') : text
  }
  const formatDetail = (name: string): string => {
    const value = details[name] ?? []
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    const texts = (Array.isArray(value) ? value : [String(value)]).map((text) => translateValue(name, text))
    return texts.length === 0 ? 'none' : format.list(texts)
  }
  const values = Object.fromEntries([
    ...TEXT_DETAILS.map((name) => [name, formatDetail(name)]),
    ...NUMBER_DETAILS.map((name) => [name, Number(details[name] ?? 0)]),
  ])
  const { from, to, assignee, snoozeUntil, role, schools, disabled } = details
  const changes = [
    from !== to && t('activity.change.status', values),
    'assigneeBefore' in details && t(`activity.change.${assignee === null ? 'unassigned' : 'assigned'}`, values),
    'snoozeBefore' in details && snoozeUntil === undefined && t('activity.change.unsnoozed'),
    snoozeUntil !== undefined && t('activity.change.snoozed', { day: String(snoozeUntil) }),
    role !== undefined && t('activity.change.role', values),
    schools !== undefined && t('activity.change.schools', values),
    disabled !== undefined && t(`activity.change.${disabled === true ? 'disabled' : 'enabled'}`),
  ].filter((change) => change !== false)
  return t(`activity.sentence.${knownAction}`, {
    ...values,
    lead: lead === null ? 'none' : t(`activity.thing.${lead.kind}`),
    actorId: user?.id ?? 'none',
    isOwn: user !== null && details['user'] === user.id ? 'yes' : 'no',
    changes: changes.length === 0 ? 'none' : format.list(changes),
    questionDays: Number(details['asked-question'] ?? 0),
    declarationDays: Number(details['declaration-of-interest'] ?? 0),
  })
}
