import type { LeadKind, LeadList } from '@/lib/contract/lead'

const LIST_OF = { 'asked-question': 'asked-questions', 'declaration-of-interest': 'declarations-of-interest' } as const

export function listOf(kind: LeadKind): LeadList {
  return LIST_OF[kind]
}
