import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'
import type { shapes } from '@/components/triage/status-dot'
import type { LeadListQuery, Place } from '@/lib/api/leads'
import type { LeadRowProps, Matched } from './lead-row'
import type { InboxState } from './use-inbox'

/** What a queue shows otherwise than a list does: among leads of both kinds each says what it is, in two lines. */
export type QueueParts = {
  Total: ComponentType<{ inbox: InboxState }>
  Kinds: ComponentType<{ inbox: InboxState }>
  Words: ComponentType<LeadRowProps>
  About: ComponentType<Pick<LeadRowProps, 'item' | 'school'> & Matched>
  squares: typeof shapes
  showWaiting: (client: QueryClient, place: Place, query: LeadListQuery) => void
  queryOf: (search: URLSearchParams, text: string) => LeadListQuery
}

/** Comes with the queue's page, so that no list loads it. */
export const QueuePartsContext = createContext<QueueParts | null>(null)

export function useQueueParts(): QueueParts | null {
  return useContext(QueuePartsContext)
}
