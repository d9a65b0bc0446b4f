import { useLocale, useTranslations } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { PENDING_NAME, useSchoolNames } from '@/components/app/schools'
import type { LeadItem } from '@/lib/api/leads'
import { isOnlyGreeting } from '@/lib/contacts/reply-check'
import { applyTemplate, fillTemplate, type ReplyText } from '@/lib/contacts/reply-template'
import { beginReply, findCaret, findGreetingName, guessLanguage, type ReplyContext } from '@/lib/contacts/reply-text'
import type { ReplyTemplate } from '@/lib/contract/templates'
import type { LeadRef } from '@/lib/contract/lead'
import { createReplyDrafts, type HandedOver, type ReplyDraft } from '@/lib/inbox/drafts'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { forgetSignedOut } from '@/lib/inbox/sign-outs'

export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was suspended or closed when the user signed out must not show what was written before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}

export type Reply = ReturnType<typeof useReply>

/** A reply is the draft of this tab, or else the beginning that Intag suggests. */
export function useReply(lead: LeadRef, item: LeadItem) {
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const [ownDraft, setOwnDraft] = useState(() => drafts.read(lead))
  const locale = useLocale()
  const school = useSchoolNames().nameForLead(item)
  const question = isQuestion(item) ? item.question : null
  const context: ReplyContext = {
    language: question === null ? locale : guessLanguage(question, locale),
    firstName: findGreetingName(item),
    school: school === PENDING_NAME ? '' : school,
    sender: useCurrentUser()?.name ?? '',
    isQuestion: question !== null,
  }
  const initialReply = beginReply(context)
  /** The next template replaces the text of the last one, unless the user has changed it. */
  const lastTemplate = useRef<ReplyText>(initialReply)
  const { subject, body } = initialReply
  const draft: ReplyDraft = ownDraft ?? { subject, body, seenAttempt: item.attempts.last?.at ?? null }
  const change = (part: Partial<ReplyText>) => {
    const next = { ...draft, ...part }
    setOwnDraft(next)
    const isWritten = next.subject !== subject || (next.body.trim() !== '' && !isOnlyGreeting(next.body, context))
    if (isWritten) drafts.write(lead, next)
    else drafts.forget(lead)
  }
  return {
    drafts,
    personName: findDisplayName(item) ?? t('person'),
    draft,
    context,
    initialReply,
    change,
    isTouched: ownDraft !== null,
    caret: ownDraft === null ? initialReply.caret : findCaret(ownDraft.body, context.language),
    /** Inserts a template at the caret, and returns where the caret goes then. */
    insertTemplate: (template: ReplyTemplate, caret: number): number => {
      const filled = { subject: fillTemplate(template.subject, context), body: fillTemplate(template.body, context) }
      // A caret at either end tells nothing, because the user may not have been in the field yet.
      const position = caret === 0 || caret === draft.body.length ? findCaret(draft.body, context.language) : caret
      const { caret: newCaret, ...texts } = applyTemplate(draft, filled, [initialReply, lastTemplate.current], position)
      lastTemplate.current = filled
      change(texts)
      return newCaret
    },
    /** Remembers that the mail was opened outside Intag and is not yet noted as sent. */
    setHandedOver: (handedOver: HandedOver | undefined) => {
      setOwnDraft({ ...draft, handedOver })
      drafts.write(lead, { ...draft, handedOver })
    },
  }
}
