import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { NAME_TO_COME, useSchoolNames } from '@/components/desk/schools'
import type { LeadItem } from '@/lib/api/leads'
import { templatesQuery } from '@/lib/api/queries'
import {
  beginReply,
  greetingName,
  placeToGoOn,
  programmeIn,
  type ReplyTo,
  withTemplate,
} from '@/lib/contacts/reply-text'
import { type TemplateDraft, templateFrom } from '@/lib/contacts/own-template'
import { isGreetingAlone } from '@/lib/contacts/reply-check'
import { languageOf } from '@/lib/contacts/question-language'
import { fillTemplate } from '@/lib/contacts/reply-mail'
import type { LeadRef } from '@/lib/contract/lead'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Locale } from '@/lib/i18n/locale'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { createReplyDrafts, forgetSignedOut, type HandedOver, type ReplyDraft } from '@/lib/inbox/drafts'

export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was asleep or closed when the user signed out must not show what was written in it before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}

type Texts = Pick<ReplyDraft, 'subject' | 'body'>

export type Reply = ReturnType<typeof useReply>

export function useReply(lead: LeadRef, item: LeadItem) {
  const drafts = useReplyDrafts()
  const [draft, setDraft] = useState(() => drafts.read(lead))
  const to = useReplyTo(item)
  const begun = useMemo(() => beginReply(to), [to])
  const choice = useTemplateChoice(to.language)
  const text = draft ?? { subject: begun.subject, body: begun.body, isQuoted: true, seenAttempt: null }

  const change = (part: Partial<Pick<ReplyDraft, 'subject' | 'body' | 'isQuoted'>>) => {
    const seenAttempt = draft === null ? (item.attempts.last?.at ?? null) : text.seenAttempt
    const next = { ...text, seenAttempt, handedOver: draft?.handedOver, ...part }
    set(next, next.subject !== begun.subject || (next.body.trim() !== '' && !isGreetingAlone(next.body, to)))
  }
  const set = (next: ReplyDraft | null, isKept = true) => {
    setDraft(next)
    if (next === null || !isKept) drafts.forget(lead)
    else drafts.write(lead, next)
  }
  return {
    text,
    isTouched: draft !== null,
    handedOver: draft?.handedOver,
    to,
    caret: draft === null ? begun.caret : placeToGoOn(draft.body, to.language),
    change,
    fillIn: useFillIn({ text, begun, to, change }),
    ...choice,
    /** Given away, brought back as it was then, or sent once more. */
    handOver: (handedOver: HandedOver | undefined) => set({ ...text, handedOver }),
    done: () => drafts.forget(lead),
    asTemplate: (): TemplateDraft => {
      const { email, phone } = contactOf(item)
      return {
        language: to.language,
        subject: templateFrom(text.subject || begun.subject, to, ''),
        body: templateFrom(text.body, to, begun.body),
        names: [to.firstName, nameOf(item), ...(isQuestion(item) ? [] : [item.user.lastName]), email, phone],
      }
    },
  }
}

type FillIn = { text: Texts; begun: Texts; to: ReplyTo; change: (texts: Texts) => void }

/** Puts a template in, and answers where the caret goes then. */
function useFillIn({ text, begun, to, change }: FillIn) {
  /** What a template filled in, unless it was changed since: the next template replaces it. */
  const filledIn = useRef<Texts>(begun)
  return (template: ReplyTemplate, caret: number): number => {
    const filled = filledWith(template, to)
    // A field in which nobody has been tells of no place.
    const at = caret === 0 || caret === text.body.length ? placeToGoOn(text.body, to.language) : caret
    const { isWhole, caret: next, ...texts } = withTemplate(text, filled, [begun, filledIn.current], at)
    filledIn.current = isWhole ? filled : begun
    change({ subject: texts.subject, body: texts.body })
    return next
  }
}

function filledWith({ subject, body }: ReplyTemplate, to: ReplyTo): Texts {
  const values = { ...to, sender: to.author }
  return { subject: fillTemplate(subject, values), body: fillTemplate(body, values) }
}

function useReplyTo(item: LeadItem) {
  const locale = useLocale()
  const schools = useSchoolNames()
  const author = useCurrentUser()?.name ?? ''
  const schoolName = schools.of(item)
  const school = schoolName === NAME_TO_COME ? '' : schoolName
  const firstName = greetingName(item)
  const question = isQuestion(item) ? item.question : null
  return useMemo(() => {
    const language = question === null ? locale : languageOf(question, locale)
    const programme = question === null ? null : programmeIn(question)
    return { language, firstName, school, author, isQuestion: question !== null, programme }
  }, [question, locale, firstName, school, author])
}

const NO_TEMPLATES: readonly ReplyTemplate[] = []

function useTemplateChoice(language: Locale) {
  const { data, isError } = useQuery(templatesQuery)
  const all = data?.templates ?? NO_TEMPLATES
  return useMemo(() => {
    const shown = all.filter((template) => template.language === language)
    return {
      own: shown.filter(({ isOwn }) => isOwn),
      shared: shown.filter(({ isOwn }) => !isOwn),
      others: all.filter((template) => template.language !== language),
      hasNoTemplates: isError,
    }
  }, [all, isError, language])
}
