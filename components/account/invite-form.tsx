'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { onEvents } from '@/components/ui/browser-tab'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import { OTHER_ADDRESS } from '@/lib/contract/headers'
import { invitePath, readInviteLink } from '@/lib/contract/invite-link'
import { Entrance } from './entrance'
import { NewPasswordFields, useNewPassword } from './password-fields'

type Outcome = 'done' | 'invalid' | 'elsewhere' | 'incomplete'
type Trouble = 'unreachable' | 'otherAddress'
type Step = 'choosing' | 'saving' | Trouble | Outcome

const addressHere = () => location.pathname + location.search + location.hash
const readToken = () => readInviteLink(addressHere())?.token ?? ''
/** Another link in the address bar loads no page where only its part after `#` is another. */
const onNewHash = onEvents(() => window, 'hashchange')

export function InviteScreen({ isReset }: { isReset: boolean }) {
  // The link's token is after `#`, which browsers never send. Null before the browser has read it, empty without one.
  const token = useSyncExternalStore(onNewHash, readToken, () => null)
  useEffect(() => {
    // A rewritten link has the token where a reload would send it.
    const link = readInviteLink(addressHere())
    if (link?.token && invitePath(link) !== addressHere()) history.replaceState(history.state, '', invitePath(link))
  }, [])
  // A link that is pasted over another one begins anew.
  return <Invitation key={token} token={token} isReset={isReset} />
}

function Invitation({ token, isReset }: { token: string | null; isReset: boolean }) {
  const t = useTranslations('signin.invite')
  const errors = useTranslations('signin.error')
  const [step, setStep] = useState<Step>('choosing')
  const { fault, read, refused } = useNewPassword()
  const accept = async (password: string): Promise<Step> => {
    try {
      await api('POST /api/invitations', { body: { token: token ?? '', password } })
      return 'done'
    } catch (error) {
      if (refused(error)) return 'choosing'
      if (!(error instanceof ApiError)) return 'unreachable'
      if (error.status === 409) return 'elsewhere'
      if (error.reason === OTHER_ADDRESS) return 'otherAddress'
      return ['not-found', 'refused', 'unauthorized'].includes(error.kind) ? 'invalid' : 'unreachable'
    }
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = read(new FormData(event.currentTarget))
    if (password === null) return
    setStep('saving')
    setStep(await accept(password))
  }
  const shown = token === '' ? 'incomplete' : step
  const trouble = shown === 'unreachable' || shown === 'otherAddress' ? shown : null
  if (shown !== 'choosing' && shown !== 'saving' && shown !== 'unreachable' && shown !== 'otherAddress')
    return (
      <Entrance title={t(`${shown}Title`)} lead={t(`${shown}Body`)}>
        <p role={shown === 'invalid' || shown === 'incomplete' ? 'alert' : 'status'} className="sr-only">
          {t(`${shown}Title`)}
        </p>
        <a href="/signin" className={buttonClass({ variant: 'primary', size: 'lg', className: 'w-full' })}>
          {t('toSignIn')}
        </a>
      </Entrance>
    )
  return (
    <Entrance title={t(isReset ? 'resetTitle' : 'title')} lead={t(isReset ? 'resetBody' : 'body')}>
      <form
        method="post"
        onSubmit={(event) => void submit(event)}
        noValidate
        // The server does not know whether there is a token: no password is asked for before the browser has read it.
        className={cn('flex flex-col gap-4', token === null && 'invisible')}
      >
        {trouble && (
          <Notice tone="danger" role="alert">
            {errors(trouble)}
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
    </Entrance>
  )
}
