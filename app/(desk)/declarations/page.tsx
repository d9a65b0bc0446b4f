import { createListPage } from '@/app/(desk)/list-page'

const { generateMetadata, Page } = createListPage('declarations-of-interest')

export { generateMetadata, Page as default }
