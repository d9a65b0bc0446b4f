import { askedQuestionsPage, oneAskedQuestion } from '@/lib/api/asked-questions'
import { declarationsPage, oneDeclaration } from '@/lib/api/declarations-of-interest'
import type { LeadListQuery, LeadPageOptions } from '@/lib/api/lead-page'
import type { LeadKind, LeadList } from '@/lib/contract/lead'

export type FilterName = 'status' | 'fresh' | 'year' | 'mode' | 'school' | 'assignee' | 'period'

/** What differs between the two lists; everything else is one implementation. */
export type ListDescription = {
  list: LeadList
  kind: LeadKind
  page: (query: LeadListQuery, offset: number) => LeadPageOptions
  one: (id: string) => LeadPageOptions
  filters: readonly FilterName[]
}

export const LISTS: Record<LeadList, ListDescription> = {
  'asked-questions': {
    list: 'asked-questions',
    kind: 'asked-question',
    page: askedQuestionsPage,
    one: oneAskedQuestion,
    filters: ['status', 'fresh', 'mode', 'school', 'assignee', 'period'],
  },
  'declarations-of-interest': {
    list: 'declarations-of-interest',
    kind: 'declaration-of-interest',
    page: declarationsPage,
    one: oneDeclaration,
    filters: ['status', 'fresh', 'year', 'school', 'assignee', 'period'],
  },
}
