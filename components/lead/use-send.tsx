import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { wishReply } from '@/components/contact/reply-wish'
import { useCurrentUser } from '@/components/desk/current-user'
import { useTriage } from '@/components/triage/use-triage'
import { toast } from '@/components/ui/toast'
import { api, keyOf } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import { mailFailure, mayHaveArrived } from '@/lib/contacts/mail-failure'
import type { ReplyAnswer } from '@/lib/contract/attempts'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { nameOf } from '@/lib/inbox/lead-text'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import type { Sending } from '@/lib/inbox/outbox'
import { createReplyDrafts, type ReplyDraft } from '@/lib/inbox/reply-drafts'
import type { LeadDecisions } from './lead-toolbar'
import { isTooLongForLink, type Mail, openInMailProgram, outbox, saveAsDraft } from './reply-ways'
import { SecondsLeft } from './seconds-left'

type Options = {
  lead: LeadRef
  item: LeadItem
  decide: LeadDecisions
  /** What goes out, as it stands in the composer. */
  mail: () => Mail
  /** It has left: the text is not kept any more. */
  onLeft: () => void
  /** It comes back: whatever was taken away stands there again, with when it was handed over where that could not be noted. */
  onBack: (handedOver?: ReplyDraft['handedOver']) => void
}

export type WaysOut = {
  /** Whether it is known which way out there is. */
  isKnown: boolean
  /** Intag sends it. */
  isOurs: boolean
  sending: Sending | undefined
  isTooLong: (mail: Mail) => boolean
  send: (isFinished: boolean) => void
  copy: () => void
  /** Notes what was handed over before. */
  note: (isFinished: boolean) => void
  takeBack: () => void
}

/** Whether Intag itself sends mail here, for this person. */
const isOursQuery = queryOptions({
  queryKey: keyOf('GET /api/replies'),
  queryFn: async ({ signal }) => {
    try {
      return (await api('GET /api/replies', { signal })).canSend
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unauthorized') return false
      throw error
    }
  },
  staleTime: 5 * 60_000,
})

/** The ways out for a reply, as the school has it: through Intag, or by the person's own mail program. */
export function useSend(options: Options): WaysOut {
  const { data: isOurs = false, isPending } = useQuery(isOursQuery)
  const sending = useSending(options.lead)
  useGone(sending, options.onLeft)
  const handOver = useHandOver(options)
  const takeBack = useTakeBack(options)
  const sendOurselves = useSendOurselves(options, takeBack)
  return {
    isKnown: !isPending,
    isOurs,
    sending,
    isTooLong: (mail: Mail) => !isPending && !isOurs && isTooLongForLink(mail),
    send: (isFinished: boolean) => void (isOurs ? sendOurselves(isFinished) : handOver(isFinished)),
    copy: () => void handOver(true, 'copied'),
    note: (isFinished: boolean) => void handOver(isFinished, 'handedOver'),
    takeBack: () => void takeBack(),
  }
}

/** It has left while somebody had come back to it: what stands in the fields was sent. */
function useGone(sending: Sending | undefined, onLeft: () => void): void {
  const before = useRef(sending)
  const left = useRef(onLeft)
  useEffect(() => {
    left.current = onLeft
    const isGone = before.current?.is === 'sending' && sending === undefined
    before.current = sending
    if (isGone) left.current()
  }, [sending, onLeft])
}

/** Stops a reply before it leaves, and says so where its seconds were counted; answers whether it was still there. */
function useTakeBack(options: Options): () => boolean {
  const { lead, item } = options
  const t = useTranslations('reply')
  const name = nameOf(item) ?? t('person')
  return () => {
    const isBack = outbox.takeBack(lead)
    if (!isBack) return false
    toast(t('said.takenBack', { name }), { topic: topicOf(lead) })
    openAgain(options)
    return true
  }
}

/** Back to the lead, and on with its text. */
function openAgain({ lead, decide }: Options): void {
  decide.onGoBack([lead])
  wishReply(lead, 'mail')
}

const topicOf = ({ kind, id }: LeadRef) => `reply ${kind} ${id}`

function useSending(lead: LeadRef): Sending | undefined {
  return useSyncExternalStore(
    outbox.subscribe,
    () => outbox.of(lead),
    () => undefined,
  )
}

/** To the person's own mail program, which is asked nothing about what came of it: noted as sent at once, with a way back. */
function useHandOver({ item, lead, decide, mail, onLeft, onBack }: Options) {
  const t = useTranslations('reply')
  const by = useCurrentUser()
  const name = nameOf(item) ?? t('person')
  /** What is on its way to the clipboard: pressed again meanwhile it is the same reply, noted once. */
  const copying = useRef(false)
  const bringBack = (handedOver?: ReplyDraft['handedOver']) => {
    onBack(handedOver)
    wishReply(lead, 'mail')
  }
  return async (isFinished: boolean, chosen?: 'copied' | 'handedOver') => {
    if (copying.current) return
    const out = mail()
    const way = chosen ?? (isTooLongForLink(out) ? 'draft' : 'opened')
    if (way === 'opened') openInMailProgram(out)
    if (way === 'draft') saveAsDraft(out, t('draftFile'))
    if (way === 'copied') {
      copying.current = true
      const isCopied = await copied(out.body)
      copying.current = false
      if (!isCopied) return toast(t('copyFailed'), { tone: 'error' })
      openInMailProgram({ to: out.to, subject: out.subject })
    }
    const handedOver = { at: new Date().toISOString(), isFinished }
    onLeft()
    decide.onNoted({
      item,
      attempt: { channel: 'email', outcome: 'sent', ...(isFinished && { status: 'handled' }) },
      by: by && { id: by.id, name: by.name },
      said: t(`said.${way}`, { name }),
      undone: t('said.undone', { name }),
      notNoted: { said: t('handedOver.notNoted', { name }), bringBack: () => bringBack(handedOver) },
      onTakenBack: () => bringBack(),
    })
  }
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** By Intag, after a few seconds in which it never leaves the browser; the person may go on meanwhile. */
function useSendOurselves(options: Options, takeBack: () => boolean) {
  const { lead, item, decide, mail } = options
  const t = useTranslations('reply')
  const name = nameOf(item) ?? t('person')
  const owner = useCurrentUser()?.id ?? ''
  const { onSent, onFailed } = useOutcome(options)
  const topic = topicOf(lead)
  const triage = useTriage()
  return (isFinished: boolean) => {
    const { subject, body } = mail()
    const drafts = createReplyDrafts(window.sessionStorage, owner)
    const key = drafts.nameMail(lead, `${subject}\n${body}`, randomName)
    const status = isFinished ? ({ status: 'handled' } as const) : {}
    const send = () => {
      // The time to take it back is over.
      toast(t('sending'), { topic })
      return api('POST /api/replies', { body: { ...lead, subject, body, key, ...status } })
    }
    const onNotSent = (error: unknown) => {
      if (mailFailure(error) === 'unsure') drafts.forgetName(lead)
      onFailed(error)
    }
    if (!outbox.begin({ lead, key, send, onSent, onFailed: onNotSent })) return
    const until = untilOf(outbox.of(lead))
    leavingReplies.begun({ takeBack, isLast: triage.mark() })
    toast(<SecondsLeft until={until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>, {
      topic,
      action: { label: t('takeBack'), onClick: () => void takeBack() },
    })
    if (isFinished) decide.onLeave(item)
  }
}

/** What is said and shown of a reply that Intag sent, or could not; the person may be with another lead by then. */
function useOutcome(options: Options) {
  const { lead, item, decide, onLeft } = options
  const t = useTranslations('reply')
  const client = useQueryClient()
  const name = nameOf(item) ?? t('person')
  const topic = topicOf(lead)
  return {
    onSent: ({ attempt }: ReplyAnswer) => {
      onLeft()
      toast(t(attempt ? 'said.sent' : 'said.notNoted', { name }), { topic, stays: attempt === null })
      void refreshTriaged(client, LISTS_BY_KIND[lead.kind].list)
      void refreshCounts(client)
    },
    onFailed: (error: unknown) => {
      // Whoever signs in again comes back to what is on screen, and must not think that this one has left.
      if (mailFailure(error) === 'unauthenticated') decide.onGoBack([lead])
      const said = mayHaveArrived(error) ? t(`failed.why.${mailFailure(error)}`) : t('failed.title', { name })
      // The lead says of it that it may have been sent.
      if (mayHaveArrived(error)) void refreshTriaged(client, LISTS_BY_KIND[lead.kind].list)
      const action = { label: t('openAgain'), onClick: () => openAgain(options) }
      toast(said, { tone: 'error', topic, stays: true, action })
    },
  }
}

function untilOf(sending: Sending | undefined): number {
  return sending?.is === 'waiting' ? sending.until : 0
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
