import { useContact } from '@/components/triage/use-pending'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { useSchoolNames } from '@/components/desk/schools'
import type { LeadItem } from '@/lib/api/leads'
import { templatesQuery } from '@/lib/api/queries'
import { beginReply, besideOwn, greetingName, placeToGoOn, type ReplyTo, withTemplate } from '@/lib/contacts/reply-text'
import { languageOf, suggestTemplate } from '@/lib/contacts/suggest-template'
import { fillTemplate } from '@/lib/contacts/reply-mail'
import type { LeadRef } from '@/lib/contract/lead'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Locale } from '@/lib/i18n/locale'
import { isQuestion } from '@/lib/inbox/lead-text'
import { createReplyDrafts, forgetSignedOut, type ReplyDraft } from '@/lib/inbox/drafts'

export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was asleep or closed when the person signed out must not show what was written in it before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}

type Put = { before: ReplyDraft | null; filledIn: Words; caret: number; now: string }

type Words = Pick<ReplyDraft, 'subject' | 'body'>

export type Reply = ReturnType<typeof useReply>

export function useReply(lead: LeadRef, item: LeadItem) {
  const drafts = useReplyDrafts()
  const [draft, setDraft] = useState(() => drafts.read(lead))
  const to = useReplyTo(item)
  const begun = useMemo(() => beginReply(to), [to])
  const choice = useTemplateChoice(item, to.language)
  const text = draft ?? { subject: begun.subject, body: begun.body, isQuoted: true, seenAttempt: null }

  const change = (part: Partial<Pick<ReplyDraft, 'subject' | 'body' | 'isQuoted'>>) => {
    const seenAttempt = draft === null ? (item.attempts.last?.at ?? null) : text.seenAttempt
    const next = { ...text, seenAttempt, handedOver: draft?.handedOver, ...part }
    set(next, next.body.trim() !== '')
  }
  const set = (next: ReplyDraft | null, isKept = true) => {
    setDraft(next)
    if (next === null || !isKept) drafts.forget(lead)
    else drafts.write(lead, next)
  }
  const { suggested } = choice
  // Taken once it stands in the text, or it would be put in twice.
  const isTaken = suggested !== null && text.body.includes(besideOwn(begun.body, filledWith(suggested, to).body))
  return {
    text,
    isTouched: draft !== null,
    handedOver: draft?.handedOver,
    to,
    caret: draft === null ? begun.caret : placeToGoOn(draft.body, to.language),
    change,
    ...useFillIn({ text, draft, begun, to, change, set }),
    ...choice,
    suggested: isTaken ? null : suggested,
    /** Brings it back as it was, where it was sent or handed over by mistake. */
    restore: (before: ReplyDraft) => drafts.write(lead, before),
    done: () => drafts.forget(lead),
  }
}

type FillIn = {
  text: Words
  draft: ReplyDraft | null
  begun: Words
  to: ReplyTo
  change: (words: Words) => void
  set: (before: ReplyDraft | null) => void
}

/** Puts a template in, and takes it out again; both answer where the caret goes then. */
function useFillIn({ text, draft, begun, to, change, set }: FillIn) {
  /** What a template filled in, unless it was changed since: the next template replaces it. */
  const filledIn = useRef<Words>(begun)
  const [put, setPut] = useState<Put | null>(null)
  const fillIn = (template: ReplyTemplate, caret: number): number => {
    const filled = filledWith(template, to)
    // A field in which nobody has been tells of no place.
    const at = caret === 0 || caret === text.body.length ? placeToGoOn(text.body, to.language) : caret
    const { isWhole, caret: next, ...words } = withTemplate(text, filled, [begun, filledIn.current], at)
    setPut({ before: draft, filledIn: filledIn.current, caret: at, now: words.body })
    filledIn.current = isWhole ? filled : begun
    change({ subject: words.subject, body: words.body })
    return next
  }
  const takeOut = ({ before, filledIn: filledBefore, caret }: Put): number => {
    setPut(null)
    filledIn.current = filledBefore
    set(before)
    return caret
  }
  /** Null where no template was put in, or the person has written on. */
  return { fillIn, takeOut: put === null || put.now !== text.body ? null : () => takeOut(put) }
}

function filledWith({ subject, body }: ReplyTemplate, to: ReplyTo): Words {
  return { subject: fillTemplate(subject, to), body: fillTemplate(body, to) }
}

function useReplyTo(item: LeadItem) {
  const locale = useLocale()
  const schools = useSchoolNames()
  const { data: person } = useContact(item.contactId)
  const author = useCurrentUser()?.name ?? ''
  const school = schools.of(item)
  const firstName = greetingName(item, person)
  const question = isQuestion(item) ? item.question : null
  return useMemo(() => {
    const language = question === null ? locale : languageOf(question, locale)
    return { language, firstName, school, author, isQuestion: question !== null }
  }, [question, locale, firstName, school, author])
}

function useTemplateChoice(item: LeadItem, language: Locale) {
  const { data, isError } = useQuery(templatesQuery)
  const question = isQuestion(item) ? item.question : ''
  return useMemo(() => {
    const all = data?.templates ?? []
    const own = all.filter((template) => template.language === language)
    const others = all.filter((template) => template.language !== language)
    return { own, others, suggested: suggestTemplate(question, own), hasNoTemplates: isError }
  }, [data, isError, question, language])
}
