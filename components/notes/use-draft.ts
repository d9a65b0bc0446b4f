'use client'

import { useEffect, useMemo, useState } from 'react'
import { useMe } from '@/components/shell/me'
import { SESSION_LOST } from '@/lib/api/request'
import type { LeadRef } from '@/lib/contract/lead'
import { createNoteDrafts, forgetNoteDrafts } from './note-drafts'

/** The note that is being written on a lead; begun ones are found again. */
export function useDraft(lead: LeadRef): [text: string, write: (text: string) => void] {
  const owner = useMe()?.id ?? ''
  const drafts = useMemo(() => createNoteDrafts(window.sessionStorage, owner), [owner])
  const [text, setText] = useState(() => drafts.read(lead))
  useEffect(() => {
    // Whoever signs in next in this tab must not find the words; they stay in the field, for one's own return.
    const forget = () => forgetNoteDrafts(window.sessionStorage)
    window.addEventListener(SESSION_LOST, forget)
    return () => window.removeEventListener(SESSION_LOST, forget)
  }, [])
  const write = (next: string) => {
    setText(next)
    drafts.write(lead, next)
  }
  return [text, write]
}
