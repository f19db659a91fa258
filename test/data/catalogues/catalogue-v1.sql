SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public._catalogue (
    application text NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public._change (
    number bigint NOT NULL
);
CREATE TABLE public._tombstones (
    number bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    parent text COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public._totals (
    collection text NOT NULL COLLATE pg_catalog."C",
    field text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
);
CREATE TABLE public.cars (
    _created bigint NOT NULL,
    _revision bigint NOT NULL,
    identifier text NOT NULL COLLATE pg_catalog."C",
    brand text COLLATE pg_catalog."C",
    model text COLLATE pg_catalog."C",
    year bigint,
    doors bigint,
    "enginePower" bigint,
    version text COLLATE pg_catalog."C",
    clima bigint,
    ac bigint,
    fuel text COLLATE pg_catalog."C",
    _identifier text COLLATE pg_catalog."C",
    _brand text COLLATE pg_catalog."C",
    _model text COLLATE pg_catalog."C",
    _version text COLLATE pg_catalog."C",
    _fuel text COLLATE pg_catalog."C"
);
CREATE TABLE public.oils (
    _created bigint NOT NULL,
    _revision bigint NOT NULL,
    _parent text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    "otherInfo" text COLLATE pg_catalog."C",
    _type text COLLATE pg_catalog."C",
    "_otherInfo" text COLLATE pg_catalog."C"
);
INSERT INTO public._catalogue VALUES ('car-dealer-catalogue', 1);
INSERT INTO public._change VALUES (16);
INSERT INTO public._tombstones VALUES (5, 'cars', NULL, 'gone');
INSERT INTO public._tombstones VALUES (6, 'cars', NULL, 'back');
INSERT INTO public._tombstones VALUES (15, 'oils', 'seat-ibiza-1', 'gone');
INSERT INTO public._totals VALUES ('cars', 'brand', 'seat', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '2008', 1);
INSERT INTO public._totals VALUES ('cars', 'brand', 'lotus', 0);
INSERT INTO public._totals VALUES ('cars', 'model', 'ibiza', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '1980', 0);
INSERT INTO public._totals VALUES ('cars', 'model', 'c5', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '1999', 1);
INSERT INTO public._totals VALUES ('cars', 'brand', 'citroen', 2);
INSERT INTO public._totals VALUES ('cars', 'model', 'ami', 1);
INSERT INTO public._totals VALUES ('cars', '', '', 4);
INSERT INTO public._totals VALUES ('cars', '+brand', '', 4);
INSERT INTO public._totals VALUES ('cars', '+model', '', 4);
INSERT INTO public._totals VALUES ('cars', '+year', '', 3);
INSERT INTO public._totals VALUES ('cars', 'brand', 'skoda', 1);
INSERT INTO public._totals VALUES ('cars', 'model', 'fabia', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '2100', 1);
INSERT INTO public.cars VALUES (1, 7, 'seat-ibiza-1', 'Seat', 'Ibiza', 2008, 3, 105, '1.9 TDI Sport', 1, 0, 'Diésel', 'seat-ibiza-1', 'seat', 'ibiza', '1.9 tdi sport', 'diesel');
INSERT INTO public.cars VALUES (8, 8, 'Citroën/C5 ñ', 'Citroën', 'C5', 1999, NULL, NULL, '', NULL, NULL, 'Gasolina', 'citroen/c5 n', 'citroen', 'c5', '', 'gasolina');
INSERT INTO public.cars VALUES (9, 9, '汽车🚗', 'Citroën', 'Ami', NULL, 0, 0, NULL, 0, 1, NULL, '汽车🚗', 'citroen', 'ami', NULL, NULL);
INSERT INTO public.cars VALUES (10, 10, 'back', 'Škoda', 'Fabia', 2100, NULL, NULL, NULL, NULL, NULL, NULL, 'back', 'skoda', 'fabia', NULL, NULL);
INSERT INTO public.oils VALUES (11, 11, 'seat-ibiza-1', '5W-30', 'Sintético, según norma', '5w-30', 'sintetico, segun norma');
INSERT INTO public.oils VALUES (12, 12, 'seat-ibiza-1', '10W/40', NULL, '10w/40', NULL);
INSERT INTO public.oils VALUES (13, 13, 'seat-ibiza-1', 'Aceite nº 1', '', 'aceite nº 1', '');
INSERT INTO public.oils VALUES (16, 16, 'back', '5W-30', NULL, '5w-30', NULL);
ALTER TABLE ONLY public._catalogue
    ADD CONSTRAINT _catalogue_pkey PRIMARY KEY (application);
ALTER TABLE ONLY public._tombstones
    ADD CONSTRAINT _tombstones_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public._totals
    ADD CONSTRAINT _totals_pkey PRIMARY KEY (collection, field, value);
ALTER TABLE ONLY public.cars
    ADD CONSTRAINT cars_pkey PRIMARY KEY (identifier);
ALTER TABLE ONLY public.oils
    ADD CONSTRAINT oils_pkey PRIMARY KEY (_parent, type);
CREATE INDEX cars__created ON public.cars USING btree (_created);
CREATE INDEX cars_brand ON public.cars USING btree (_brand, _created);
CREATE INDEX cars_brand_sorted ON public.cars USING btree (_brand, brand, _created);
CREATE INDEX cars_model ON public.cars USING btree (_model, _created);
CREATE INDEX cars_model_sorted ON public.cars USING btree (_model, model, _created);
CREATE INDEX cars_year ON public.cars USING btree (year, _created);
CREATE INDEX oils__parent ON public.oils USING btree (_parent, _created);
ALTER TABLE ONLY public.oils
    ADD CONSTRAINT oils__parent_fkey FOREIGN KEY (_parent) REFERENCES public.cars(identifier) ON DELETE CASCADE;
