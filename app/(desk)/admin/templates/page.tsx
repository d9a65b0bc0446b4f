import { redirect } from 'next/navigation'
import { deskPage } from '@/app/(desk)/desk-page'
import { TemplatesScreen } from '@/components/admin/templates-screen'
import { allow, may } from '@/server/access/viewer'
import { listTemplates } from '@/server/replies/reply-templates'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('templates.title'),
  permission: 'leads:reply',
  path: '/admin/templates',
  areas: ['templates'],
  screen: async ({ viewer }) => {
    if (may(viewer, 'admin')) redirect('/admin/work#templates')
    const { templates } = await listTemplates(services(), allow(viewer, 'leads:read'))
    return <TemplatesScreen initial={templates} />
  },
})

export { generateMetadata, Page as default }
