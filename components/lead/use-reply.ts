import { useLocale, useTranslations } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { PENDING_NAME, useSchoolNames } from '@/components/app/schools'
import type { LeadItem } from '@/lib/api/leads'
import { isOnlyGreeting } from '@/lib/contacts/reply-check'
import { applyTemplate, fillTemplate, type ReplyText } from '@/lib/contacts/reply-template'
import { guessLanguage } from '@/lib/contacts/guess-language'
import { beginReply, findCaret, findGreetingName, type ReplyContext } from '@/lib/contacts/reply-text'
import type { ReplyTemplate } from '@/lib/contract/templates'
import type { LeadRef } from '@/lib/contract/lead'
import { createReplyDrafts, type HandedOver, type ReplyDraft } from '@/lib/inbox/drafts'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { forgetSignedOut } from '@/lib/inbox/sign-outs'

export type Reply = ReturnType<typeof useReply>

/** Reads and changes the reply to a lead: this tab's draft, or else the beginning that Intag suggests. */
export function useReply(lead: LeadRef, item: LeadItem) {
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const [ownDraft, setOwnDraft] = useState(() => drafts.read(lead))
  const locale = useLocale()
  const schoolName = useSchoolNames().nameForLead(item)
  const questionText = isQuestion(item) ? item.question : null
  const context: ReplyContext = {
    language: questionText === null ? locale : guessLanguage(questionText, locale),
    firstName: findGreetingName(item),
    school: schoolName === PENDING_NAME ? '' : schoolName,
    sender: useCurrentUser()?.name ?? '',
    isQuestion: questionText !== null,
  }
  const initialReply = beginReply(context)
  // The next template replaces the text of the last one, unless the user has changed it.
  const lastTemplate = useRef<ReplyText>(initialReply)
  const { subject, body } = initialReply
  const draft: ReplyDraft = ownDraft ?? { subject, body, seenAttempt: item.attempts.last?.at ?? null }
  const changeText = (part: Partial<ReplyText>) => {
    const nextDraft = { ...draft, ...part }
    setOwnDraft(nextDraft)
    const hasText = nextDraft.body.trim() !== '' && !isOnlyGreeting(nextDraft.body, context)
    if (hasText || nextDraft.subject !== subject) drafts.write(lead, nextDraft)
    else drafts.forget(lead)
  }
  return {
    drafts,
    personName: findDisplayName(item) ?? t('person'),
    draft,
    context,
    initialReply,
    changeText,
    isTouched: ownDraft !== null,
    caret: ownDraft === null ? initialReply.caret : findCaret(ownDraft.body, context.language),
    /** Inserts a template at the caret, and returns where the caret goes then. */
    insertTemplate: (template: ReplyTemplate, caret: number): number => {
      const text = { subject: fillTemplate(template.subject, context), body: fillTemplate(template.body, context) }
      // A caret at the start or the end of the field was probably not placed by the user.
      const position = caret === 0 || caret === draft.body.length ? findCaret(draft.body, context.language) : caret
      const { caret: newCaret, ...changes } = applyTemplate(draft, text, [initialReply, lastTemplate.current], position)
      lastTemplate.current = text
      changeText(changes)
      return newCaret
    },
    /** Stores that the mail may have been sent without being noted on the lead; undefined takes that back. */
    recordHandOver: (handedOver: HandedOver | undefined) => {
      setOwnDraft({ ...draft, handedOver })
      drafts.write(lead, { ...draft, handedOver })
    },
  }
}

export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was suspended or closed when the user signed out must not show drafts from before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}
