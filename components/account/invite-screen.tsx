'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { useIsHydrated } from '@/components/ui/browser-state'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { cn } from '@/components/ui/cn'
import { createWindowSubscription } from '@/components/ui/external-store'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import { OTHER_ADDRESS } from '@/lib/contract/headers'
import { toInvitePath, readInviteLink } from '@/lib/contract/invite-link'
import { AuthLayout } from './auth-layout'
import { NewPasswordFields, useNewPassword } from './password-fields'

/** `otherAddress`: Intag is open at an address other than its own; `elsewhere`: the user signs in at the provider. */
type Step = 'choosing' | 'saving' | 'unreachable' | 'otherAddress' | 'done' | 'invalid' | 'elsewhere'

const readLink = () => readInviteLink(location.pathname + location.search + location.hash)
const onHashChange = createWindowSubscription('hashchange')

export function InviteScreen({ isReset }: { isReset: boolean }) {
  const t = useTranslations('signin.invite')
  const tError = useTranslations('signin.error')
  // The token is null on the server, which cannot know it: browsers never send what is after the `#`.
  const token = useIsHydrated() ? (readLink()?.token ?? '') : null
  const [step, setStep] = useState<Step>('choosing')
  const { fault, readPassword, showRefusal } = useNewPassword()
  useEffect(() => {
    // The address is put right, because a rewritten link may have the token where a reload would send it to the server.
    const link = readLink()
    if (link?.token) history.replaceState(history.state, '', toInvitePath(link))
    // A new link reloads the page, because the browser does not when only the part after the `#` differs.
    return onHashChange(() => location.reload())
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = readPassword(new FormData(event.currentTarget))
    if (password === null) return
    setStep('saving')
    try {
      await api('POST /api/invitations', { body: { token: token ?? '', password } })
      setStep('done')
    } catch (error) {
      setStep(showRefusal(error) ? 'choosing' : toFailedStep(error))
    }
  }
  if (token === '') return <Ending name="incomplete" />
  if (step === 'done' || step === 'invalid' || step === 'elsewhere') return <Ending name={step} />
  return (
    <AuthLayout title={t(isReset ? 'resetTitle' : 'title')} intro={t(isReset ? 'resetBody' : 'body')}>
      <form
        method="post"
        onSubmit={(event) => void submit(event)}
        noValidate
        // The form stays hidden until the browser has read the token.
        className={cn('flex flex-col gap-4', token === null && 'invisible')}
      >
        {(step === 'unreachable' || step === 'otherAddress') && (
          <Notice tone="danger" role="alert">
            {tError(step)}
          </Notice>
        )}
        <NewPasswordFields fault={fault} />
        <Button
          text={t('submit')}
          type="submit"
          variant="primary"
          size="lg"
          className="mt-1"
          busy={step === 'saving'}
        />
      </form>
    </AuthLayout>
  )
}

function toFailedStep(error: unknown): Step {
  if (!(error instanceof ApiError)) return 'unreachable'
  if (error.status === 409) return 'elsewhere'
  if (error.reason === OTHER_ADDRESS) return 'otherAddress'
  return ['not-found', 'refused', 'unauthorized'].includes(error.kind) ? 'invalid' : 'unreachable'
}

function Ending({ name }: { name: 'done' | 'invalid' | 'elsewhere' | 'incomplete' }) {
  const t = useTranslations('signin.invite')
  return (
    <AuthLayout title={t(`${name}Title`)} intro={t(`${name}Body`)}>
      <p role={name === 'invalid' || name === 'incomplete' ? 'alert' : 'status'} className="sr-only">
        {t(`${name}Title`)}
      </p>
      <a href="/signin" className={buttonClass({ variant: 'primary', size: 'lg', className: 'w-full' })}>
        {t('toSignIn')}
      </a>
    </AuthLayout>
  )
}
