import { onlineManager, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/desk/current-user'
import { useTriage } from '@/components/triage/use-triage'
import { toast } from '@/components/ui/toast'
import { api, keyOf } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import { onceKey } from '@/lib/api/triage'
import type { LeadRef } from '@/lib/contract/lead'
import { type Failure, isUnanswered, mailFailure, mayHaveArrived } from '@/lib/contacts/reply-check'
import { LINK_SAFE_LENGTH, mailLink, type MailOutside } from '@/lib/contacts/reply-mail'
import type { ReplyAnswer, ReplyWays } from '@/lib/contract/attempts'
import { LISTS_BY_KIND, type MailWay } from '@/lib/contract/lists'
import { nameOf } from '@/lib/inbox/lead-text'
import { outbox, type Sending } from '@/lib/inbox/outbox'
import { createReplyDrafts, type HandedOver } from '@/lib/inbox/drafts'
import { keptOpen } from '@/lib/inbox/pending-changes'
import type { LeadDecisions } from './lead-toolbar'

type Mail = { to: string; subject: string; body: string }

type Options = {
  lead: LeadRef
  item: LeadItem
  decide: LeadDecisions
  mail: () => Mail
  onLeft: () => void
  /** The text stands there again, with the question whether it was sent or without it. */
  onHandedOver: (handedOver: HandedOver | undefined) => void
}

const NOTHING_KNOWN: ReplyWays = { canSend: false }

const replyWaysQuery = queryOptions({
  queryKey: keyOf('GET /api/replies'),
  queryFn: async ({ signal }) => {
    try {
      return await api('GET /api/replies', { signal })
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unauthorized') return NOTHING_KNOWN
      throw error
    }
  },
  staleTime: 5 * 60_000,
})

export function useSend(options: Options) {
  const t = useTranslations('reply')
  const client = useQueryClient()
  const triage = useTriage()
  const by = useCurrentUser()
  const { data = NOTHING_KNOWN, isPending } = useQuery(replyWaysQuery)
  const { lead, item, onLeft } = options
  const sending = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(lead),
    () => undefined,
  )
  useGone(sending, onLeft)
  const { kind, id } = lead
  const way: MailWay = data.ways?.[item.highSchoolId] ?? (data.canSend ? 'intag' : 'program')
  const parts = { ...options, t, client, triage, by, name: nameOf(item) ?? t('person'), topic: `reply ${kind} ${id}` }
  /** The browser may ask whether a text may be copied: pressed again meanwhile, nothing opens twice. */
  const opening = useRef(false)
  const open = async (isFinished: boolean) => {
    if (way === 'intag' || opening.current) return
    opening.current = true
    await openOutside(parts, way, isFinished)
    opening.current = false
  }
  return {
    isWayKnown: !isPending,
    way,
    sending,
    isTooLong: (mail: Mail) => !isPending && isTooLongForLink(way, mail),
    send: (isFinished: boolean): void => {
      if (way === 'intag') sendOurselves(parts, isFinished)
      else void open(isFinished)
    },
    copy: async () => {
      if (await isCopied(options.mail().body)) toast(t('copied'), { topic: parts.topic })
      else toast(t('copyFailed'), { tone: 'error', topic: parts.topic })
    },
    noteSent: (handedOver: HandedOver) => noteSent(parts, handedOver),
    takeBack: (): void => void outbox.takeBack(lead),
  }
}

type Parts = Options & {
  t: ReturnType<typeof useTranslations<'reply'>>
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  by: ReturnType<typeof useCurrentUser>
  name: string
  topic: string
}

/** It was sent after the user had come back to it, with what stands in the fields. */
function useGone(sending: Sending | undefined, onLeft: () => void): void {
  const before = useRef(sending)
  const left = useEffectEvent(onLeft)
  useEffect(() => {
    const isGone = before.current?.kind === 'sending' && sending === undefined
    before.current = sending
    if (isGone) left()
  }, [sending])
}

function openAgain({ lead, decide }: Options): void {
  decide.onGoBack([lead])
  requestReply(lead, 'mail')
}

/** Opened, and no more: whether it was sent is asked, and until then nothing is noted. */
async function openOutside(parts: Parts, way: MailOutside, isFinished: boolean): Promise<void> {
  const { mail, onHandedOver, t, topic } = parts
  const out = mail()
  const how = isTooLongForLink(way, out) ? 'copied' : 'opened'
  if (how === 'opened') openMail(way, out)
  else {
    if (!(await isCopied(out.body))) return toast(t('copyFailed'), { tone: 'error', topic })
    openMail(way, { to: out.to, subject: out.subject })
  }
  onHandedOver({ at: new Date().toISOString(), isFinished, how })
}

/** The user says that it was sent. Undone, or not noted, it is asked again. */
function noteSent(parts: Parts, handedOver: HandedOver): void {
  const { item, lead, decide, onLeft, onHandedOver, t, by, name } = parts
  const bringBack = () => {
    onHandedOver(handedOver)
    requestReply(lead, 'mail')
  }
  onLeft()
  decide.onNoted({
    item,
    attempt: { channel: 'email', outcome: 'sent', ...(handedOver.isFinished ? { status: 'handled' } : keptOpen(item)) },
    by: by && { id: by.id, name: by.name },
    said: t('said.noted', { name }),
    undone: t('said.undone', { name }),
    notNoted: { said: t('asked.notNoted', { name }), bringBack },
    onTakenBack: bringBack,
  })
}

function isTooLongForLink(way: MailWay, mail: Mail): boolean {
  return way !== 'intag' && mailLink(way, mail).length > LINK_SAFE_LENGTH
}

/** In a tab of its own where it is a page, which learns nothing of this one. */
function openMail(way: MailOutside, mail: Pick<Mail, 'to' | 'subject'> & { body?: string }): void {
  const link = document.createElement('a')
  link.href = mailLink(way, mail)
  if (way !== 'program') Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  link.click()
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** By Intag, after a few seconds in which it stays in the browser; the user may go on meanwhile. */
function sendOurselves(parts: Parts, isFinished: boolean): void {
  const { lead, item, decide, mail, onHandedOver, t, triage, by, name, topic } = parts
  const { subject, body } = mail()
  const drafts = createReplyDrafts(window.sessionStorage, by?.id ?? '')
  const key = drafts.nameMail(lead, `${subject}\n${body}`, onceKey)
  const decision = isFinished ? ({ status: 'handled' } as const) : keptOpen(item)
  const post = () => api('POST /api/replies', { body: { ...lead, subject, body, key, ...decision } })
  let pending: ReturnType<typeof triage.mail> | undefined
  const send = async () => {
    toast(t(onlineManager.isOnline() ? 'sending' : 'held'), { topic })
    const shown = await pending
    try {
      sent(parts, await (shown === undefined ? post() : shown.send(post)))
    } catch (error) {
      const failure = mailFailure(error)
      if (!isUnanswered(failure)) drafts.forgetName(lead)
      if (failure === 'unknown') onHandedOver({ at: new Date().toISOString(), isFinished, how: 'unknown' })
      notSent(parts, failure)
      throw error
    }
  }
  const onTakenBack = () => {
    toast(t('said.takenBack', { name }), { topic })
    void pending?.then((shown) => shown?.takeBack())
    openAgain(parts)
  }
  const until = outbox.begin({ lead, send, onTakenBack, isLast: triage.mark() })
  if (until === null) return
  onHandedOver(undefined)
  pending = triage.mail(lead, item, decision)
  toast(<SecondsLeft until={until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>, {
    topic,
    action: { label: t('takeBack'), onClick: () => void outbox.takeBack(lead) },
  })
  if (isFinished) decide.onLeave(item)
}

function sent({ lead, onLeft, t, client, name, topic }: Parts, { attempt }: ReplyAnswer): void {
  onLeft()
  toast(t(attempt ? 'said.sent' : 'said.notNoted', { name }), { topic, stays: attempt === null })
  void refreshTriaged(client, LISTS_BY_KIND[lead.kind].list)
  void refreshCounts(client)
}

function notSent(parts: Parts, failure: Failure): void {
  const { lead, decide, t, client, name, topic } = parts
  // Signing in again leads back to what is on screen, which must not look as if this reply had left.
  if (failure === 'unauthenticated') decide.onGoBack([lead])
  const mayBeThere = mayHaveArrived(failure)
  if (mayBeThere) void refreshTriaged(client, LISTS_BY_KIND[lead.kind].list)
  const said = mayBeThere ? t(`failed.why.${failure}`) : t('failed.title', { name })
  const action = { label: t('openAgain'), onClick: () => openAgain(parts) }
  toast(said, { tone: 'error', topic, stays: true, action })
}

const LOOK_MS = 250

export function SecondsLeft({ until, children }: { until: number; children: (seconds: number) => ReactNode }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off" className="tabular">
      {children(Math.max(0, Math.ceil((until - now) / 1000)))}
    </span>
  )
}
