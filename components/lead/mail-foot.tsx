import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import { mailFailure, mayHaveArrived, type Refusal } from '@/lib/contacts/reply-check'
import type { HandedOver } from '@/lib/inbox/drafts'
import { nameOf } from '@/lib/inbox/lead-text'
import { SecondsLeft, type WaysOut } from './use-send'

type MailFootProps = {
  out: Omit<WaysOut, 'isTooLong'> & { isQueued: boolean }
  item: LeadItem
  isTooLong: boolean
  refusal: Refusal | null
  /** The person has got an answer by now, and only a second press sends another. */
  needsSecondSend: boolean
  handedOver: HandedOver | undefined
}

export function MailFoot({ out, item, isTooLong, refusal, needsSecondSend, handedOver }: MailFootProps) {
  const t = useTranslations('reply')
  const { sending } = out
  const name = nameOf(item) ?? t('person')
  const takeBack = <Button onClick={out.takeBack}>{t('takeBack')}</Button>
  if (sending?.is === 'waiting') {
    return (
      <Foot>
        <p className="min-w-0 flex-1 text-sm wrap-anywhere">
          <SecondsLeft until={sending.until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>
        </p>
        {takeBack}
      </Foot>
    )
  }
  if (out.isQueued || sending?.is === 'sending') {
    return (
      <Foot>
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm">
          <Spinner className="size-3.5 shrink-0" />
          {t(out.isQueued ? 'held' : 'sending')}
        </p>
        {out.isQueued && takeBack}
      </Foot>
    )
  }
  if (handedOver !== undefined) return <WasItSent out={out} handedOver={handedOver} maySend={refusal === null} />
  return (
    <>
      {sending?.is === 'failed' && <Failed name={name} error={sending.error} />}
      <SendButtons out={out} isTooLong={isTooLong} refusal={refusal} needsSecondSend={needsSecondSend} />
    </>
  )
}

function Failed({ name, error }: { name: string; error: unknown }) {
  const t = useTranslations('reply.failed')
  return (
    <p role="alert" className="border-t border-line-soft bg-danger-soft px-3.5 py-2 text-sm text-danger-ink">
      {!mayHaveArrived(error) && t('title', { name })} {t(`why.${mailFailure(error)}`)} {t('kept')}
      <FailureId />
    </p>
  )
}

/** A second press of the button that opened it, or of the lead before, was not meant as an answer. */
const SAME_PRESS_MS = 600

type WasItSentProps = Pick<MailFootProps, 'out'> & { handedOver: HandedOver; maySend: boolean }

/** Only the user knows; until they say so, nothing is noted. */
function WasItSent({ out, handedOver, maySend }: WasItSentProps) {
  const t = useTranslations('reply.asked')
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const [isSettled, setSettled] = useState(false)
  const [isNow] = useState(() => Date.now() - Date.parse(handedOver.at) < SAME_PRESS_MS)
  useEffect(() => {
    if (isNow) group.current?.focus()
    const timer = setTimeout(() => setSettled(true), SAME_PRESS_MS)
    return () => clearTimeout(timer)
  }, [isNow])
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className="border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={id} className="font-semibold">
        {t('title')}
      </h3>
      {handedOver.how !== 'opened' && <p className="text-sm text-mute">{t(handedOver.how)}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button disabled={!isSettled} variant="accent" onClick={() => out.noteSent(handedOver)} className="min-w-16">
          {t('yes')}
        </Button>
        <Button disabled={!maySend || !isSettled} onClick={() => out.send(handedOver.isFinished)}>
          {t('again')}
        </Button>
        <Button disabled={!maySend || !isSettled} onClick={() => void out.copy()}>
          {t('copy')}
        </Button>
      </div>
    </div>
  )
}

function SendButtons({ out, isTooLong, refusal, needsSecondSend }: Omit<MailFootProps, 'item' | 'handedOver'>) {
  const t = useTranslations('reply')
  const maySend = refusal === null
  const isDraft = isTooLong && out.way === 'program'
  return (
    <>
      {isTooLong && (
        <p className="border-t border-line-soft px-3.5 py-2 text-xs text-pretty text-mute">
          {t(isDraft ? 'long.draft' : 'long.copied')}{' '}
          {isDraft && (
            <button
              type="button"
              disabled={!maySend}
              onClick={() => out.copyAndOpen(true)}
              className="text-accent underline underline-offset-2 touch:min-h-11"
            >
              {t('long.copy')}
            </button>
          )}
        </p>
      )}
      <Foot>
        <Button
          variant="primary"
          className="h-auto! min-h-8 max-w-full flex-wrap py-1 whitespace-normal"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => out.send(true)}
        >
          {t(`send.${isDraft ? 'draft' : out.way}`)}
          <Kbd inverted>{`${modifierKey()} ↵`}</Kbd>
        </Button>
        <Button disabled={!maySend} onClick={() => out.send(false)}>
          {t(out.way === 'intag' ? 'send.open' : 'send.kept')}
        </Button>
        <Hint refusal={refusal} needsSecondSend={needsSecondSend} />
      </Foot>
    </>
  )
}

/** Why it cannot be sent yet, or was not; that nothing is written yet one sees. */
function Hint({ refusal, needsSecondSend }: Pick<MailFootProps, 'refusal' | 'needsSecondSend'>) {
  const t = useTranslations('reply')
  const wrong = refusal?.is === 'nothingWritten' ? null : refusal
  const calm = needsSecondSend ? t('sendAgain') : t('notStored')
  return (
    <p role="status" className={wrong === null && !needsSecondSend ? 'text-xs text-faint' : 'text-xs text-danger'}>
      {wrong === null ? calm : t(`refusal.${wrong.is}`, { over: 0, text: '', name: '', ...wrong })}
    </p>
  )
}

function Foot({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
      {children}
    </div>
  )
}
