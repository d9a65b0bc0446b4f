import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { AuthLayout } from '@/components/account/auth-layout'
import { SignInForm } from '@/components/account/sign-in-form'
import { ClientMessages } from '@/components/app/client-messages'
import { Notice } from '@/components/ui/notice'
import { SIGN_ON_CAUSES } from '@/lib/contract/service-report'
import { needsFirstUser } from '@/server/access/first-users'
import { env, toCommandLine } from '@/server/base/env'
import { getServices } from '@/server/base/services'
import { toCallbackPath } from '@/server/http/auth-actions'
import { findPageSession } from '@/server/http/page-session'

export const generateMetadata = createMetadata({ title: (t) => t('signin.title') })

export default async function SignInPage({ searchParams }: PageProps) {
  const { callbackUrl, error, signedOut } = await searchParams
  // An absolute URL, as next-auth sends it here, becomes a path, as `toCallbackPath` takes it.
  const callbackText = typeof callbackUrl === 'string' ? callbackUrl : null
  const url = callbackText !== null && URL.canParse(callbackText) ? new URL(callbackText) : null
  const path = toCallbackPath(url === null ? callbackText : url.pathname + url.search)
  if (await findPageSession(getServices())) redirect(path)
  const t = await getTranslations('signin')
  const { mode, oidc, hasPasswordSignIn } = env()
  const errorKey = error === undefined ? null : toErrorKey(error)
  // While the database cannot be reached, users are assumed to exist.
  const isWithoutUsers = await needsFirstUser(getServices()).catch(() => false)
  return (
    <ClientMessages areas={['signin', 'shell', 'trouble']}>
      <AuthLayout title={t('title')} intro={t('intro')}>
        <SignInForm
          callbackUrl={path}
          initialError={errorKey && t(`error.${errorKey}`)}
          notice={signedOut === undefined ? null : t('signedOut')}
          provider={oidc && { name: oidc.name }}
          mustChooseAccount={signedOut !== undefined || errorKey?.startsWith('signOn') === true}
          isPasswordForEmergencies={!hasPasswordSignIn}
          isDemo={mode === 'demo'}
        />
        {isWithoutUsers && (
          <Notice role="status">
            <strong className="block font-semibold">{t('nobodyYet.title')}</strong>
            {t('nobodyYet.body', { command: toCommandLine('admin') })}
          </Notice>
        )}
      </AuthLayout>
    </ClientMessages>
  )
}

/** Our causes begin with `SignOn-`, the others are next-auth's (next-auth.js.org/configuration/pages#error-codes). */
function toErrorKey(error: string | string[]) {
  const signOnCause = SIGN_ON_CAUSES.find((cause) => error === `SignOn-${cause}`)
  if (signOnCause !== undefined) return `signOn.${signOnCause}` as const
  if (error === 'CredentialsSignin') return 'wrong'
  return error === 'Configuration' || error === 'Unavailable' ? 'unavailable' : 'provider'
}
