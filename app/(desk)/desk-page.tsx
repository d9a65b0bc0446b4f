import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { whileThere } from '@/app/(desk)/while-there'
import { type Areas, ClientMessages } from '@/components/desk/client-messages'
import { DatabaseAway } from '@/components/shell/database-away'
import { NoAccess } from '@/components/shell/no-access'
import type { Permission } from '@/lib/contract/endpoint'
import { pageSession } from '@/server/http/page-viewer'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { withCallerAddress } from '@/server/base/request-context'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { addressOf } from '@/server/http/front-door'
import { services } from '@/server/base/services'

type Frame<Reader> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>, params: Record<string, string>) => string
  areas?: Areas
  /** Renders with its first data. Missing data is Next's "not found"; a database outage is shown on screen. */
  screen: (asked: PageProps & { viewer: Reader; session: Session }) => ReactNode | Promise<ReactNode>
  notReady?: ReactNode
}

type PageProps = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type DeskPage<Wanted extends Permission> = Frame<Allowed<Wanted>> & {
  permission: Wanted
  path: string
}

/** A page behind a permission. */
export function deskPage<Wanted extends Permission>({ permission, path, ...frame }: DeskPage<Wanted>) {
  return {
    generateMetadata: metadataOf(frame),
    Page: async (asked: PageProps) => {
      const { viewer, session } = await pageSession(services())
      if (!may(viewer, permission)) return logRefusal(viewer, permission, path)
      return render(frame, { ...asked, viewer, session })
    },
  }
}

export function openPage(frame: Frame<Viewer>) {
  return {
    generateMetadata: metadataOf(frame),
    Page: async (asked: PageProps) => render(frame, { ...asked, ...(await pageSession(services())) }),
  }
}

export function metadataOf({ title }: Pick<Frame<never>, 'title'>) {
  return async ({ params }: Pick<PageProps, 'params'>): Promise<Metadata> => ({
    title: title(await getTranslations(), await params),
  })
}

/** Logged like a refused route, once an hour, but not for a prefetch. */
async function logRefusal(viewer: Viewer, wanted: Permission, path: string) {
  if (viewer.withheld.has(wanted)) return <DatabaseAway />
  const asked = await headers()
  if (!asked.has('next-router-prefetch')) {
    withCallerAddress(addressOf({ headers: asked }), () => services().refusals(viewer.id, 'GET', path))
  }
  return <NoAccess role={viewer.role} />
}

type Drawn<Reader> = Parameters<Frame<Reader>['screen']>[0]

async function render<Reader>({ areas, screen, notReady }: Frame<Reader>, asked: Drawn<Reader>) {
  const address = addressOf({ headers: await headers() })
  try {
    const shown = await whileThere(async () => await withCallerAddress(address, () => screen(asked)))
    if (shown === null) return <DatabaseAway />
    return areas === undefined ? shown : <ClientMessages areas={areas}>{shown}</ClientMessages>
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    throw error
  }
}
