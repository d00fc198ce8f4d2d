// The field in the bar of Docusaurus's classic theme.

import React, { useEffect, useRef } from 'react';
import { useHistory } from '@docusaurus/router';
import { usePluginData } from '@docusaurus/useGlobalData';
import './styles.css';

export default function SearchBar() {
  const { base, folder, moved } = usePluginData('kdd-search');
  const element = useRef(null);
  const history = useHistory();
  useEffect(() => {
    import(/* webpackIgnore: true */ `${folder}kdd-search.js`);
    const search = element.current;
    const open = (event) => {
      const { pathname, search: query, hash } = new URL(event.detail.href);
      event.preventDefault();
      history.push(pathname + query + hash);
    };
    search.addEventListener('kdd-open', open);
    return () => search.removeEventListener('kdd-open', open);
  }, [folder, history]);
  return <kdd-search ref={element} src={`${folder}docs.kddx`} base={base} pages="clean" moved={moved ? `${folder}moved.json` : undefined} />;
}
