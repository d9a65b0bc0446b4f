import { documentPage } from '@/app/(desk)/admin/document-page'

const page = documentPage('privacy')

export const generateMetadata = page.metadata
export default page.Page
