'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Field } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { ApiError, request } from '@/lib/api/send'
import { PasswordInput } from './password-input'

type Step = 'choosing' | 'saving' | 'saved' | 'invalid' | 'unreachable'

/** Where an invited person chooses a password. The invitation's token stands after `#`, which browsers send to nobody. */
export function InviteForm() {
  const t = useTranslations('signin.invite')
  const errors = useTranslations('signin.error')
  const [step, setStep] = useState<Step>('choosing')
  const [fault, setFault] = useState<PasswordFault | null>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = String(form.get('password'))
    const found = faultOf(password, String(form.get('repeated')))
    setFault(found)
    if (found) return
    setStep('saving')
    setStep(await accept(location.hash.slice(1), password))
  }

  if (step === 'saved') return <Outcome title={t('doneTitle')} body={t('doneBody')} />
  if (step === 'invalid') return <Outcome title={t('invalidTitle')} body={t('invalidBody')} isBad />
  return (
    <form method="post" onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      {step === 'unreachable' && (
        <Notice tone="danger" role="alert">
          {errors('unreachable')}
        </Notice>
      )}
      <Field label={t('password')} hint={t('hint')} error={fault && fault !== 'different' ? t(fault) : undefined}>
        {(attributes) => <PasswordInput {...attributes} name="password" autoComplete="new-password" required />}
      </Field>
      <Field label={t('repeat')} error={fault === 'different' ? t(fault) : undefined}>
        {(attributes) => <PasswordInput {...attributes} name="repeated" autoComplete="new-password" required />}
      </Field>
      <Button type="submit" variant="primary" size="lg" className="mt-1" busy={step === 'saving'}>
        {t('submit')}
      </Button>
    </form>
  )
}

async function accept(token: string, password: string): Promise<Step> {
  if (token === '') return 'invalid'
  try {
    await request('/api/invitations', { method: 'POST', body: { token, password }, read: () => null })
    return 'saved'
  } catch (error) {
    const isRefused = error instanceof ApiError && ['not-found', 'refused', 'unauthorized'].includes(error.kind)
    return isRefused ? 'invalid' : 'unreachable'
  }
}

function Outcome({ title, body, isBad = false }: { title: string; body: string; isBad?: boolean }) {
  const t = useTranslations('signin.invite')
  return (
    <div className="flex flex-col gap-5">
      <Notice tone={isBad ? 'danger' : 'plain'} role={isBad ? 'alert' : 'status'}>
        <strong className="block font-semibold">{title}</strong>
        {body}
      </Notice>
      <a href="/signin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        {t('toSignIn')}
      </a>
    </div>
  )
}

const SHORTEST = 8
const LONGEST = 200

type PasswordFault = 'tooShort' | 'tooLong' | 'different'

/** The rules of `POST /api/invitations`, checked before anything is sent. Length is all that counts (NIST SP 800-63B, 3.1.1.2). */
export function faultOf(password: string, repeated: string): PasswordFault | null {
  if (password.length < SHORTEST) return 'tooShort'
  if (password.length > LONGEST) return 'tooLong'
  return password === repeated ? null : 'different'
}
