import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { LazyArea } from '@/components/desk/lazy-area'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import { READING_ASKED } from '@/lib/api/send'
import { fullTime } from '@/lib/time/format-date'

/**
 * Asks somebody who has read more than usual why, with the answers of the server that say so. They may put it off; the
 * administrators see that it is open.
 */
export function ReadingQuestion() {
  const [isOpen, close] = useAsked()
  return (
    isOpen && (
      <LazyArea area="reading">
        <Question onClose={close} />
      </LazyArea>
    )
  )
}

/** As long as the server asks nobody again who has put it off. */
const QUIET_MS = 15 * 60_000

/** Whether to ask now: not in the middle of a sentence, and not soon after it was closed. */
function useAsked(): [boolean, () => void] {
  const [isOpen, setOpen] = useState(() => !isTyping())
  const closedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const onAsked = () => {
      if (performance.now() - closedAt.current >= QUIET_MS && !isTyping()) setOpen(true)
    }
    window.addEventListener(READING_ASKED, onAsked)
    return () => window.removeEventListener(READING_ASKED, onAsked)
  }, [])
  const close = () => {
    closedAt.current = performance.now()
    setOpen(false)
  }
  return [isOpen, close]
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea') === true
}

const SHORTEST = 3
const LONGEST = 500

function Question({ onClose }: { onClose: () => void }) {
  const t = useTranslations('reading.question')
  const { reason, setReason, isMissing, step, send } = useAnswer(onClose)
  const later = () => {
    // Where that cannot be told, the question comes again with a later answer, which is no harm.
    api('POST /api/reading/question', { body: { later: true } }).catch(() => undefined)
    onClose()
  }
  const actions = (
    <>
      <Button variant="ghost" onClick={later}>
        {t('later')}
      </Button>
      <Button type="submit" variant="primary" busy={step === 'sending'}>
        {t('send')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={later} title={t('title')}>
      <form noValidate onSubmit={(event) => void send(event)}>
        <FormFrame problem={step === 'failed' ? t('failed') : null} actions={actions}>
          <p className="text-sm text-mute">{t('why')}</p>
          <Hours />
          <Field label={t('label')} hint={t('hint')} error={isMissing ? t('missing') : undefined}>
            {(attributes) => (
              <textarea
                {...attributes}
                autoFocus
                required
                rows={3}
                maxLength={LONGEST}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
                className="block field-sizing-content min-h-20 w-full resize-none rounded-md border border-field-line bg-panel px-3 py-2 text-base text-ink aria-invalid:border-danger focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 touch:text-[1rem]"
              />
            )}
          </Field>
        </FormFrame>
      </form>
    </Dialog>
  )
}

/** What is written and where it stands; that it is too short is said once it has been sent. */
function useAnswer(onSaved: () => void) {
  const t = useTranslations('reading.question')
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [step, setStep] = useState<'asking' | 'sending' | 'failed'>('asking')
  const isShort = reason.trim().length < SHORTEST
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isShort) return
    setStep('sending')
    try {
      await api('POST /api/reading/question', { body: { reason: reason.trim() } })
      toast(t('thanks'))
      onSaved()
    } catch {
      setStep('failed')
    }
  }
  return { reason, setReason, isMissing: isChecked && isShort, step, send }
}

/** Which hours it is about; without them the question stands all the same. */
function Hours() {
  const t = useTranslations('reading.question')
  const locale = useLocale()
  const { data } = useQuery({ ...apiQuery('GET /api/reading/question'), gcTime: 0 })
  if (data === undefined || data.hours.length === 0) return null
  return (
    <ul className="tabular flex flex-col gap-1 text-sm font-medium">
      {data.hours.map(({ hour, listed, opened }) => (
        <li key={hour}>{t('hour', { time: fullTime(Date.parse(hour), locale), listed, opened })}</li>
      ))}
    </ul>
  )
}
