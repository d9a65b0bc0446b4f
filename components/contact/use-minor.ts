'use client'

import { useQuery } from '@tanstack/react-query'
import { useToday } from '@/components/inbox/use-today'
import { contact } from '@/lib/api/contacts'
import type { LeadItem } from '@/lib/api/lead-page'
import type { Minor } from '@/lib/leads/minor-by-year'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { minorOf } from './minor-of'

/** Whether the person may be under 16, as far as this lead and those from the same e-mail tell. */
export function useMinor(item: LeadItem): Minor | null {
  const { data } = useQuery(contact(item.contactId))
  const thisYear = Number(stockholmDay(useToday()).slice(0, 4))
  const others = data?.leads.map(({ lead }) => lead) ?? []
  return minorOf(item, others, thisYear)
}
