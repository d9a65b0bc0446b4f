import type { LeadStatus } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { findDefaultFilter, type FilterChange, type FilterParams, WORK_FLAGS } from './filter-params'

const PARAM_BY_STATE = {
  late: ['late', '1'],
  followUp: ['followUp', '1'],
  unanswered: ['answered', '0'],
  answered: ['answered', '1'],
  snoozed: ['snoozed', '1'],
  earlier: ['earlier', '1'],
  fresh: ['fresh', '1'],
  notWaiting: ['waiting', '0'],
  notLate: ['late', '0'],
  noFollowUp: ['followUp', '0'],
  withSnoozed: ['snoozed', 'all'],
  withoutSnoozed: ['snoozed', '0'],
  withEarlier: ['earlier', 'all'],
  withoutEarlier: ['earlier', '0'],
} as const
type StateName = keyof typeof PARAM_BY_STATE
const STATE_NAMES = Object.keys(PARAM_BY_STATE) as readonly StateName[]
/** The menu offers these states. Only an address or the foot of the list sets the others. */
export const STATE_CHOICES = ['late', 'followUp', 'unanswered', 'answered', 'snoozed', 'earlier', 'fresh'] as const

/** Returns the states that a filter sets, other than those that a list has by default. */
export function findFilterStates(filter: LeadFilter): StateName[] {
  const defaults = findDefaultFilter(filter)
  return STATE_NAMES.filter((state) => {
    const [name, value] = PARAM_BY_STATE[state]
    const wanted = value === 'all' ? undefined : value === '1'
    return filter[name] === wanted && filter[name] !== defaults[name]
  })
}

export function removeState(state: StateName): FilterChange {
  const [name] = PARAM_BY_STATE[state]
  // A late lead also waits, so it stays on screen.
  return state === 'late' ? { late: null, waiting: '1' } : { [name]: null }
}

export const STATUS_CHOICES = [...LEAD_STATUSES, ...STATE_CHOICES] as const
export type StatusChoice = (typeof STATUS_CHOICES)[number]

/** Leads of these choices are not to do, so choosing one ends the filter *to do*. */
const NOT_TO_DO_CHOICES: ReadonlySet<StatusChoice> = new Set(['handled', 'dismissed', 'answered', 'snoozed', 'earlier'])

const isStatus = (choice: StatusChoice): choice is LeadStatus => LEAD_STATUSES.some((status) => status === choice)

/** Several statuses can be chosen, but one state of work at a time, because two of them often match no lead. */
export function toggleStatusChoice(params: FilterParams, choice: StatusChoice, isOn: boolean): FilterChange {
  const showAll = isOn && NOT_TO_DO_CHOICES.has(choice) ? { waiting: null, late: null } : {}
  if (isStatus(choice)) {
    const otherStatuses = params.status.filter((status) => status !== choice)
    return { ...showAll, status: isOn ? [...otherStatuses, choice] : otherStatuses }
  }
  if (!isOn) return removeState(choice)
  const [name, value] = PARAM_BY_STATE[choice]
  if (name === 'fresh') return { fresh: value }
  const otherFlags = WORK_FLAGS.filter((flag) => flag !== 'waiting').map((flag) => [flag, null])
  return { ...showAll, ...Object.fromEntries(otherFlags), [name]: value }
}
