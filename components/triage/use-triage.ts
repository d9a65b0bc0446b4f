'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { LeadRef, Triage } from '@/lib/contract/lead'
import type { TriagedLead } from '@/lib/inbox/triage-versions'
import { useTriageMemory } from './triage-memory'

/** What becomes of leads: a status, somebody who looks after them (null: nobody), or both. */
export type TriageDecision = Partial<Pick<Triage, 'status' | 'assignee'>>

export type TriageThen = {
  /** How many unhandled leads remain then in the list that the person works on, if that is known. */
  left?: (() => number | undefined) | undefined
  /** Told of the leads whose decision is taken back. */
  onUndone?: ((leads: readonly LeadRef[]) => void) | undefined
}

export const loadTriage = () => import('./create-triage')

/**
 * Decides about leads: at once on screen, then on the server, in the order of deciding. What fails is put back and said; what
 * somebody else decided meanwhile stands, and is said; without a network it waits until there is one. The code for it is
 * fetched at the first sign of somebody being there.
 */
export function useTriage() {
  const t = useTranslations()
  const client = useQueryClient()
  const memory = useTriageMemory()
  return useMemo(() => {
    const triage = async () => (await loadTriage()).createTriage({ client, memory, t })
    return {
      change: async (leads: readonly TriagedLead[], decision: TriageDecision, then?: TriageThen) =>
        (await triage()).change(leads, decision, then),
      /** Takes the last decision back. */
      undo: async (onUndone?: TriageThen['onUndone']) => (await triage()).undo(onUndone),
    }
  }, [client, memory, t])
}
