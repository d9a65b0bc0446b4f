import { useLocale } from 'next-intl'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { NAME_TO_COME, useSchoolNames } from '@/components/app/schools'
import type { Attempted } from '@/components/app/triage'
import type { LeadItem } from '@/lib/api/leads'
import { isGreetingAlone } from '@/lib/contacts/reply-check'
import { fillTemplate } from '@/lib/contacts/reply-mail'
import { beginReply, greetingName, languageOf, placeToGoOn, programmeIn, withTemplate } from '@/lib/contacts/reply-text'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { createReplyDrafts, forgetSignedOut, type HandedOver, type ReplyDraft } from '@/lib/inbox/drafts'
import { isQuestion } from '@/lib/inbox/lead-text'

export type ReplyDecisions = {
  onNoted: (attempted: Attempted) => void
  /** Done with for now, and with all that was handled besides: on to the next. */
  onLeave: (item: LeadItem, handled?: readonly LeadRef[]) => void
  onGoBack: (leads: readonly LeadRef[]) => void
}

export type ReplyProps = {
  lead: LeadRef
  item: LeadItem
  decide: ReplyDecisions
  /** Until then nothing is requested that counts as opening the lead. */
  isOpened: boolean
}

/** For answering by mail or by phone. `focusRequests` grows by one each time the user asks to answer. */
export type ChannelProps = ReplyProps & { focusRequests: number; otherChannel: ReactNode; onClose: () => void }

export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was asleep or closed when the user signed out must not show what was written in it before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}

export type Reply = ReturnType<typeof useReply>

/** The text of a reply: as Intag begins it, or as it was written in this tab. */
export function useReply(lead: LeadRef, item: LeadItem) {
  const drafts = useReplyDrafts()
  const [draft, setDraft] = useState(() => drafts.read(lead))
  const to = useReplyTo(item)
  const begun = useMemo(() => beginReply(to), [to])
  /** What a template filled in, unless it was changed since: the next template replaces it. */
  const filledIn = useRef<Pick<ReplyDraft, 'subject' | 'body'>>(begun)
  const { subject, body } = begun
  const text: ReplyDraft = draft ?? { subject, body, isQuoted: true, seenAttempt: null }
  const change = (part: Partial<Pick<ReplyDraft, 'subject' | 'body' | 'isQuoted'>>) => {
    const next = { ...text, ...(draft === null && { seenAttempt: item.attempts.last?.at ?? null }), ...part }
    setDraft(next)
    const isWritten = next.subject !== subject || (next.body.trim() !== '' && !isGreetingAlone(next.body, to))
    if (isWritten) drafts.write(lead, next)
    else drafts.forget(lead)
  }
  return {
    text,
    to,
    begun,
    change,
    isTouched: draft !== null,
    caret: draft === null ? begun.caret : placeToGoOn(draft.body, to.language),
    /** Puts a template in at the caret, and returns where the caret goes then. */
    fillIn: (template: ReplyTemplate, caret: number): number => {
      const values = { ...to, sender: to.author }
      const filled = {
        subject: fillTemplate(template.subject, values),
        body: fillTemplate(template.body, values),
      }
      // A field in which nobody has been tells of no place.
      const place = caret === 0 || caret === text.body.length ? placeToGoOn(text.body, to.language) : caret
      const { isWhole, caret: next, ...texts } = withTemplate(text, filled, [begun, filledIn.current], place)
      filledIn.current = isWhole ? filled : begun
      change({ subject: texts.subject, body: texts.body })
      return next
    },
    /** Handed to another program or lost on the way; undefined once it is sent again. */
    handOver: (handedOver: HandedOver | undefined) => {
      setDraft({ ...text, handedOver })
      drafts.write(lead, { ...text, handedOver })
    },
  }
}

function useReplyTo(item: LeadItem) {
  const locale = useLocale()
  const schoolName = useSchoolNames().of(item)
  const school = schoolName === NAME_TO_COME ? '' : schoolName
  const author = useCurrentUser()?.name ?? ''
  const firstName = greetingName(item)
  const question = isQuestion(item) ? item.question : null
  return useMemo(() => {
    const language = question === null ? locale : languageOf(question, locale)
    const programme = question === null ? null : programmeIn(question)
    return { language, firstName, school, author, isQuestion: question !== null, programme }
  }, [question, locale, firstName, school, author])
}
