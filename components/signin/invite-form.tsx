'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Notice } from '@/components/ui/notice'
import { ApiError, request } from '@/lib/api/send'
import { NewPasswordFields, useNewPassword } from './new-password-fields'

type Step = 'choosing' | 'saving' | 'saved' | 'invalid' | 'elsewhere' | 'unreachable'

/**
 * Where somebody chooses a password: at first, or anew. The link's token stands after `#`, which browsers send to nobody.
 */
export function InviteForm() {
  const t = useTranslations('signin.invite')
  const errors = useTranslations('signin.error')
  const [step, setStep] = useState<Step>('choosing')
  const { fields, read, refused } = useNewPassword()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = read(new FormData(event.currentTarget))
    if (password === null) return
    setStep('saving')
    setStep(await accept(location.hash.slice(1), password, refused))
  }

  if (step === 'saved') return <Outcome title={t('doneTitle')} body={t('doneBody')} />
  if (step === 'invalid') return <Outcome title={t('invalidTitle')} body={t('invalidBody')} isBad />
  if (step === 'elsewhere') return <Outcome title={t('elsewhereTitle')} body={t('elsewhereBody')} />
  return (
    <form method="post" onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      {step === 'unreachable' && (
        <Notice tone="danger" role="alert">
          {errors('unreachable')}
        </Notice>
      )}
      <NewPasswordFields {...fields} />
      <Button type="submit" variant="primary" size="lg" className="mt-1" busy={step === 'saving'}>
        {t('submit')}
      </Button>
    </form>
  )
}

async function accept(token: string, password: string, refused: (error: unknown) => boolean): Promise<Step> {
  if (token === '') return 'invalid'
  try {
    await request('/api/invitations', { method: 'POST', body: { token, password }, read: () => null })
    return 'saved'
  } catch (error) {
    if (refused(error)) return 'choosing'
    if (!(error instanceof ApiError)) return 'unreachable'
    if (error.status === 409) return 'elsewhere'
    return ['not-found', 'refused', 'unauthorized'].includes(error.kind) ? 'invalid' : 'unreachable'
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
