'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { LeadKind } from '@/lib/contract/lead'

const LIST_PATHS = { 'asked-question': '/questions', 'declaration-of-interest': '/declarations' } as const

/** Where the lead is opened: in the list one is in, with its filters as they are, or in the other list without any. */
export function useLeadHref(kind: LeadKind, id: string): string {
  const pathname = usePathname()
  const current = useSearchParams()
  const path = LIST_PATHS[kind]
  const search = new URLSearchParams(pathname === path ? current : undefined)
  search.set('lead', id)
  return `${path}?${search}`
}
