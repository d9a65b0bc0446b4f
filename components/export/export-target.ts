import type { ExportTarget } from '@/lib/contract/export'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/triage'

/** Some leads of a list, or all that match. */
export type Target = { leads: LeadRef[] } | { matching: Matching }

export function exportTarget(list: LeadList, target: Target): ExportTarget {
  return { list, ...target }
}
