'use client'

import { useLocale } from 'next-intl'
import { useState } from 'react'
import type { ReplyTemplate } from '@/lib/contract/reply-template'

type Language = ReplyTemplate['language']

/** Which language and template is open. What is written and not saved is not thrown away unasked. */
export function useTemplateChoice(templates: readonly ReplyTemplate[]) {
  const [language, setLanguage] = useState<Language>(useLocale())
  /** Null: nothing; an id; or a new one, which has none yet. */
  const [choice, setChoice] = useState<{ id: string | null } | null>(null)
  const [unsaved, setUnsaved] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ go: () => void } | null>(null)
  const own = templates.filter((template) => template.language === language)
  const leaveFor = (go: () => void) => (unsaved === null ? go() : setWanted({ go }))
  return {
    language,
    own,
    open: own.find(({ id }) => id === choice?.id),
    isNew: choice !== null && choice.id === null,
    setUnsaved,
    /** A template by its id; null for a new one. */
    choose: (id: string | null) => leaveFor(() => setChoice({ id })),
    chooseLanguage: (next: Language) =>
      leaveFor(() => {
        setLanguage(next)
        setChoice(null)
      }),
    saved: ({ id }: ReplyTemplate) => {
      setUnsaved(null)
      setChoice({ id })
    },
    close: () => {
      setUnsaved(null)
      setChoice(null)
    },
    /** The name of what would be lost, while that is asked about. */
    asksAbout: wanted === null ? null : unsaved,
    stay: () => setWanted(null),
    leave: () => {
      setUnsaved(null)
      setWanted(null)
      wanted?.go()
    },
  }
}
