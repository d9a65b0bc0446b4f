import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/loading'
import { after } from '@/lib/after'
import type { LeadItem } from '@/lib/api/leads'
import { type Failure, mailFailure, mayHaveArrived } from '@/lib/contacts/reply-check'
import type { HandedOver } from '@/lib/inbox/drafts'
import { nameOf } from '@/lib/inbox/lead-text'
import type { OutgoingMail } from './outgoing-mail'
import { SecondsLeft } from './use-send'

type MailFooterProps = { outgoing: OutgoingMail; item: LeadItem; handedOver: HandedOver | undefined }

export function MailFooter({ outgoing, item, handedOver }: MailFooterProps) {
  const t = useTranslations('reply')
  const { sending } = outgoing
  const name = nameOf(item) ?? t('person')
  if (sending?.kind === 'waiting') {
    return (
      <Row>
        <p className="min-w-0 flex-1 text-sm wrap-anywhere">
          <SecondsLeft until={sending.until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>
        </p>
        <Button text={t('takeBack')} onClick={outgoing.takeBack} />
      </Row>
    )
  }
  if (sending?.kind === 'sending') {
    return (
      <Row>
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm">
          <Spinner className="size-3.5 shrink-0" />
          {t('sending')}
        </p>
      </Row>
    )
  }
  if (handedOver !== undefined) return <WasItSent outgoing={outgoing} handedOver={handedOver} />
  return (
    <>
      {sending?.kind === 'failed' && <Failed name={name} failure={mailFailure(sending.error)} />}
      <SendButtons outgoing={outgoing} />
    </>
  )
}

function Failed({ name, failure }: { name: string; failure: Failure }) {
  const t = useTranslations('reply.failed')
  return (
    <p role="alert" className="border-t border-line-soft bg-danger-soft px-3.5 py-2 text-sm text-danger-ink">
      {!mayHaveArrived(failure) && <span>{t('title', { name })} </span>}
      <span>
        {t(`why.${failure}`)} {t('kept')}
      </span>
      <FailureId />
    </p>
  )
}

/** For so long the buttons wait: the second of a double press was meant for the button that opened the mail. */
const DOUBLE_PRESS_MS = 600

/** Of a mail that was given away, nothing is noted before the user says that it was sent. */
function WasItSent({ outgoing, handedOver }: { outgoing: OutgoingMail; handedOver: HandedOver }) {
  const t = useTranslations('reply.asked')
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const [isPressable, setPressable] = useState(false)
  const [wasJustOpened] = useState(() => Date.now() - Date.parse(handedOver.at) < DOUBLE_PRESS_MS)
  useEffect(() => {
    if (wasJustOpened) group.current?.focus()
    return after(DOUBLE_PRESS_MS, () => setPressable(true))
  }, [wasJustOpened])
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className="sticky bottom-0 border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={id} className="font-semibold">
        {t(handedOver.how === 'unknown' ? 'unknownTitle' : 'title')}
      </h3>
      {handedOver.how !== 'opened' && <p className="text-sm text-mute">{t(handedOver.how)}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          text={t('yes')}
          disabled={!isPressable}
          variant="accent"
          onClick={() => outgoing.noteSent(handedOver)}
          className="min-w-16"
        />
        <Button
          text={t(handedOver.how === 'unknown' ? 'sendAgain' : 'again')}
          disabled={!outgoing.maySend || !isPressable}
          onClick={() => outgoing.send(handedOver.isFinished)}
        />
        <Button text={t('copy')} disabled={!outgoing.maySend || !isPressable} onClick={() => void outgoing.copy()} />
      </div>
    </div>
  )
}

function SendButtons({ outgoing }: { outgoing: OutgoingMail }) {
  const t = useTranslations('reply')
  const { isTooLong, refusal, maySend, needsSecondSend } = outgoing
  return (
    <>
      {isTooLong && (
        <p className="border-t border-line-soft px-3.5 py-2 text-xs text-pretty text-mute">{t('tooLong')}</p>
      )}
      <Row>
        <Button
          variant="primary"
          className="h-auto! min-h-8 max-w-full flex-wrap py-1 whitespace-normal"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => outgoing.send(true)}
          text={
            <>
              {t(`send.${outgoing.way}`)}
              <Kbd inverted>{`${modifierKey()} ↵`}</Kbd>
            </>
          }
        />
        <Button
          text={t(outgoing.way === 'intag' ? 'send.open' : 'send.kept')}
          disabled={!maySend}
          onClick={() => outgoing.send(false)}
        />
        <Hint refusal={refusal} needsSecondSend={needsSecondSend} />
      </Row>
    </>
  )
}

/** Why it cannot be sent. An empty text is no news to the user. */
function Hint({ refusal, needsSecondSend }: Pick<OutgoingMail, 'refusal' | 'needsSecondSend'>) {
  const t = useTranslations('reply')
  if (refusal?.is === 'nothingWritten') return null
  const hint = needsSecondSend ? t('sendAgain') : t('notStored')
  return (
    <p role="status" className={refusal === null && !needsSecondSend ? 'text-xs text-faint' : 'text-xs text-danger'}>
      {refusal === null ? hint : t(`refusal.${refusal.is}`, { over: 0, text: '', name: '', ...refusal })}
    </p>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
      {children}
    </div>
  )
}
